export interface Entry {
  names: string
  from: string
  folder: string | undefined
  [group: string]: string | undefined
}
export function entriesIn(text: string, from: string, each: RegExp): Entry[]
export function inStep(
  text: string,
  entries: readonly Entry[],
  lines: Record<string, (entry: Entry) => string>,
): string
export function updateRegistries(options?: { folder?: string; write?: boolean }): string[]
