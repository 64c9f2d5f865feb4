import { z } from 'zod';
import { COUNTRIES, type Country } from '../../../nodes/UnifiedPayments/countries/data.ts';

const LONGEST_TEXT = 1000;

export const text = z.string().max(LONGEST_TEXT);
export const filledText = text.refine((value) => value.trim() !== '', 'Must not be empty');

export const webAddress = text.refine((value) => {
	try {
		return ['http:', 'https:'].includes(new URL(value).protocol);
	} catch {
		return false;
	}
}, 'Must be an http or https URL');

export const countryById = (id: number): Country | undefined =>
	COUNTRIES.find((country) => country.id === id);
