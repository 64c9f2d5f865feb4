import type { Patch } from './engine/build.mts';

export const PATCHES: Record<string, Patch[]> = {};
