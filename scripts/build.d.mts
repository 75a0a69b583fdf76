/**
 * Builds the given parts, by default all parts that run. `ifStale` skips parts whose sources are unchanged. A
 * failed build ends the process, or calls `fail`.
 */
export function build(how?: {
  ifStale?: boolean
  names?: string[]
  fail?: (code: number) => void
}): Promise<void>
export function stampOf(name: string, checkout?: string): string
