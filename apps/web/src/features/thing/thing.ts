/** Kinds of records that have a page of their own. */
export type ThingKind = 'guests' | 'nodes'

export const titles = { guests: 'Guest', nodes: 'Node' } satisfies Record<ThingKind, string>
