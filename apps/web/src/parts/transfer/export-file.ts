import type { ConfigExport } from '@pulse/contract'

/** As `pulse-config-2026-11-21.json`. */
export const exportFileName = (at: Date) => `pulse-config-${at.toISOString().slice(0, 10)}.json`

/** What an import sends: the file's data field, or the file as it is, which the server then judges. Throws on anything but JSON. */
export function importData(text: string): string {
  const parsed = JSON.parse(text) as Partial<ConfigExport> | null
  return typeof parsed?.data === 'string' ? parsed.data : text
}
