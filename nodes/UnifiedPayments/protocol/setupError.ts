/** A setting or a body that cannot be used; the message says which one and what to do. */
export class SetupError extends Error {
	override readonly name = 'SetupError';
}
