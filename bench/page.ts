import fs from 'node:fs'
import path from 'node:path'
import { format, resolveConfig } from 'prettier'

const page = path.join(import.meta.dirname, '../docs/benchmarks.md')

/** As `npm run check` wants it: tables whose columns are as wide as what stands in them. */
export const inShape = async (text: string): Promise<string> =>
  format(text, { ...(await resolveConfig(page)), filepath: page })

/** What was measured goes into the page; what people wrote around it stays. */
export async function writePage(change: (text: string) => string): Promise<void> {
  fs.writeFileSync(page, await inShape(change(fs.readFileSync(page, 'utf8'))))
  console.log(`written: ${page}`)
}
