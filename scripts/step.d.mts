/** Does a step of something long, and says so. */
export function step<T>(what: string, work: () => Promise<T>, say?: (line: string) => void): Promise<T>
