import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** In PEM, as Node's TLS takes them. */
export interface Certificate {
	key: string;
	cert: string;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const DNS_NAME = 0x82;
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;

/** Object identifiers, already in DER. */
const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const SUBJECT_ALT_NAME = '551d11';

/** One value in DER: what it is, how long it is, and its content. */
function der(tag: number, ...parts: Array<Buffer | string>): Buffer {
	const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
	const { length } = content;
	const size =
		length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const objectId = (hex: string) => der(OBJECT_ID, Buffer.from(hex, 'hex'));

const utcTime = (time: number) =>
	der(UTC_TIME, `${new Date(time).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`);

const bits = (content: Buffer) => der(BIT_STRING, Buffer.from([0]), content);

const DAY = 86_400_000;

/** A certificate for these hosts that vouches for itself: whoever trusts it, trusts nothing else. */
export function certificateFor(...hosts: [string, ...string[]]): Certificate {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const algorithm = der(SEQUENCE, objectId(ECDSA_WITH_SHA256));
	const commonName = der(SEQUENCE, objectId(COMMON_NAME), der(UTF8_STRING, hosts[0]));
	const name = der(SEQUENCE, der(SET, commonName));
	const names = der(SEQUENCE, ...hosts.map((host) => der(DNS_NAME, host)));
	const content = der(
		SEQUENCE,
		der(VERSION, der(INTEGER, Buffer.from([2]))),
		der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
		algorithm,
		name,
		der(SEQUENCE, utcTime(Date.now() - DAY), utcTime(Date.now() + DAY)),
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
		der(
			EXTENSIONS,
			der(SEQUENCE, der(SEQUENCE, objectId(SUBJECT_ALT_NAME), der(OCTET_STRING, names))),
		),
	);
	const whole = der(SEQUENCE, content, algorithm, bits(sign('sha256', content, privateKey)));
	const lines = whole.toString('base64').replace(/.{64}/g, '$&\n');
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
		cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
	};
}
