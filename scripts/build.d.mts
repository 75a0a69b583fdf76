/** Builds what is named, by default all that is run; with `ifStale` only what is older than its sources. */
export function build(how?: { ifStale?: boolean; names?: string[] }): Promise<void>
