import { isRecord, type Json } from './parse';

/** Where a reply may say that its list goes on elsewhere. */
const PLACES = ['meta', 'links', 'pagination', 'paging'] as const;
const NEXT = ['next', 'next_page', 'next_page_url', 'next_cursor'] as const;
const MORE = ['has_more', 'has_next', 'has_next_page'] as const;

/** Whether the list of a reply is one page of several, by what the reply says beside it. */
export function isPaged(reply: Readonly<Json>): boolean {
	const count = Array.isArray(reply.data) ? reply.data.length : 0;
	const places: Array<Readonly<Json>> = [reply, ...PLACES.map((name) => reply[name])].filter(
		isRecord,
	);
	return places.some((place) => goesOn(place, count));
}

function goesOn(place: Readonly<Json>, count: number): boolean {
	const isYes = (value: unknown) => value === 'true' || Number(value) === 1;
	const isLater = (value: unknown) =>
		(typeof value === 'string' && value.trim() !== '') || typeof value === 'number';
	return (
		NEXT.some((name) => isLater(place[name]) || isRecord(place[name])) ||
		MORE.some((name) => isYes(place[name])) ||
		Number(place.last_page ?? place.total_pages ?? 0) > Number(place.current_page ?? 1) ||
		Number(place.total ?? 0) > count
	);
}
