import fs from 'node:fs'
import path from 'node:path'
import { format, resolveConfig } from 'prettier'

const page = path.join(import.meta.dirname, '../docs/benchmarks.md')

/** Formats the page as `npm run check` demands. */
export const inShape = async (text: string): Promise<string> =>
  format(text, { ...(await resolveConfig(page)), filepath: page })

/** Writes the figures into the page; the text around them stays. */
export async function writePage(change: (text: string) => string): Promise<void> {
  fs.writeFileSync(page, await inShape(change(fs.readFileSync(page, 'utf8'))))
  console.log(`written: ${page}`)
}
