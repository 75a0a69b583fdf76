/** Runs a long step and prints its progress. */
export function step<T>(what: string, work: () => Promise<T>, say?: (line: string) => void): Promise<T>
