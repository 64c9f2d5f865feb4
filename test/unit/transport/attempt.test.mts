import { readThrown } from '../../../nodes/UnifiedPayments/transport/exchange.ts';

const failing = (fields: Record<string, unknown>, message = 'x') =>
	Object.assign(new Error(message), fields);

/** As the host throws it: its own error around the HTTP client's around the system's. */
const wrapped = (cause: Error) =>
	failing({ name: 'NodeApiError', cause: failing({ name: 'AxiosError', cause }) });

describe('nothing was sent', () => {
	it.each([
		...['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ECONNREFUSED', 'CERT_HAS_EXPIRED'],
		...['CERT_NOT_YET_VALID', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
		...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'SELF_SIGNED_CERT_IN_CHAIN', 'HOSTNAME_MISMATCH'],
		...['INVALID_CA', 'INVALID_PURPOSE', 'PATH_LENGTH_EXCEEDED', 'ERROR_IN_CERT_NOT_AFTER_FIELD'],
		...['ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_INVALID_URL', 'ERR_INVALID_CHAR'],
		...['ERR_UNESCAPED_CHARACTERS', 'ERR_BAD_OPTION', 'ERR_BAD_OPTION_VALUE'],
	])('when the code is %s', (code) => {
		const expected = { kind: 'unanswered', sent: 'no', code };
		expect(readThrown(failing({ code }))).toEqual(expected);
		expect(readThrown(wrapped(failing({ code })))).toEqual(expected);
		expect(readThrown({ code })).toEqual(expected);
	});

	it.each(['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ECONNRESET', 'EACCES', 'ENOENT', 'EMFILE'])(
		'when the connection ends with %s before it stands',
		(code) => {
			const thrown = wrapped(failing({ code, syscall: 'connect' }));
			expect(readThrown(thrown)).toEqual({ kind: 'unanswered', sent: 'no', code });
		},
	);

	it('when the name is not resolved, whatever the code', () => {
		const thrown = wrapped(failing({ code: 'ECANCELLED', syscall: 'getaddrinfo' }));
		expect(readThrown(thrown)).toMatchObject({ sent: 'no', code: 'ECANCELLED' });
	});

	it('when none of several addresses answered', () => {
		const each = failing({ code: 'ETIMEDOUT', syscall: 'connect' });
		const thrown = wrapped(failing({ code: 'ETIMEDOUT', errors: [each, each] }));
		expect(readThrown(thrown)).toMatchObject({ sent: 'no', code: 'ETIMEDOUT' });
	});

	it.each(['SetupError', 'SsrfBlockedIpError', 'SsrfError'])('when it is a %s', (name) => {
		expect(readThrown(wrapped(failing({ name })))).toMatchObject({ sent: 'no', code: name });
	});
});

describe('something may have been sent', () => {
	it.each([
		...['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'ERR_BAD_RESPONSE', 'ERR_CANCELED'],
		...['ERR_NETWORK', 'ERR_STREAM_PREMATURE_CLOSE', 'HPE_INVALID_CONSTANT', 'EHOSTUNREACH'],
		...['ENETUNREACH', 'EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'XENOTFOUND', 'ECONNREFUSED2'],
		...['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'MY_CERT_EXPIRED'],
		'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
	])('when the code is %s', (code) => {
		const expected = { kind: 'unanswered', sent: 'maybe', code };
		expect(readThrown(failing({ code }))).toEqual(expected);
		expect(readThrown(wrapped(failing({ code })))).toEqual(expected);
	});

	it.each(['read', 'write'])('when a %s ended a connection that stood', (syscall) => {
		const thrown = wrapped(failing({ code: 'EHOSTUNREACH', syscall }));
		expect(readThrown(thrown)).toMatchObject({ sent: 'maybe', code: 'EHOSTUNREACH' });
	});

	it('when a record could not be read after the handshake', () => {
		const message = 'write EPROTO 20A0:error:SSL routines::decryption failed or bad record mac:';
		const thrown = wrapped(failing({ code: 'EPROTO', syscall: 'write' }, message));
		expect(readThrown(thrown)).toMatchObject({ sent: 'maybe', code: 'EPROTO' });
	});

	it.each([
		[undefined],
		[null],
		[{ code: 'lower case' }],
		[{ code: 'not A_CODE', name: 'ECONNRESET or so' }],
		[new Error('ECONNREFUSED')],
		[failing({ errors: 'ECONNREFUSED' })],
	])('when nothing is known: %p', (thrown) => {
		expect(readThrown(thrown)).toEqual({ kind: 'unanswered', sent: 'maybe', code: 'no reply' });
	});

	it('and looks for the cause no deeper than six levels', () => {
		const nest = (levels: number): Error =>
			levels === 1 ? failing({ code: 'ENOTFOUND' }) : failing({ cause: nest(levels - 1) });
		expect(readThrown(nest(6))).toMatchObject({ sent: 'no' });
		expect(readThrown(nest(7))).toMatchObject({ sent: 'maybe' });
	});

	it('and is not caught in a circle', () => {
		const circle = failing({ code: 'ECONNRESET' });
		circle.cause = circle;
		expect(readThrown(circle)).toMatchObject({ sent: 'maybe', code: 'ECONNRESET' });
	});
});
