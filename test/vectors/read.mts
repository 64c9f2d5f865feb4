import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Vector {
	client_id: string;
	sender: string;
	secret: string;
	template: string;
	timestamp: number;
	salt: string;
	params_text: string;
	algorithm: 'sha256' | 'sha384' | 'sha512';
	encoding: 'hex' | 'base64';
	text_to_sign: string;
	signature: string;
}

export const VECTORS_DIRECTORY = join(process.cwd(), 'test', 'vectors');

export const vectorFiles = (directory: string): string[] =>
	readdirSync(directory)
		.filter((file) => file.endsWith('.json'))
		.sort();

/** Every vector beside its name. They are written by make.sh, with openssl. */
export const readVectors = (): Array<[name: string, vector: Vector]> =>
	vectorFiles(VECTORS_DIRECTORY).map((file) => [
		file.replace(/\.json$/, ''),
		JSON.parse(readFileSync(join(VECTORS_DIRECTORY, file), 'utf8')) as Vector,
	]);
