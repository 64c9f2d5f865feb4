/** A list of texts, with a bar or a line between them. */
export const phrases = (text: string): string[] => text.trim().split(/\s*[|\n]\s*/);
