import { chapters } from '@pulse/contract/reference'
import fs from 'node:fs'
import { format, resolveConfig } from 'prettier'

const folder = new URL('../examples/', import.meta.url)
const fileOf = (tag: string) => new URL(`${tag.toLowerCase().replace(/\W+/g, '-')}.json`, folder)
const read = (file: URL) =>
  fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>) : {}

/** The stored examples by call name; each chapter has its own file. */
export const storedExamples = (): Record<string, unknown> =>
  Object.assign({}, ...chapters.map(({ tag }) => read(fileOf(tag)))) as Record<string, unknown>

export const storedText = () =>
  fs
    .readdirSync(folder)
    .map((name) => fs.readFileSync(new URL(name, folder), 'utf8'))
    .join('\n')

export async function storeExamples(examples: Readonly<Record<string, unknown>>) {
  fs.rmSync(folder, { recursive: true })
  fs.mkdirSync(folder)
  const style = await resolveConfig(folder.pathname)
  for (const { tag, calls } of chapters) {
    const own = Object.keys(calls).filter((name) => name in examples)
    if (own.length === 0) continue
    const text = JSON.stringify(Object.fromEntries(own.map((name) => [name, examples[name]])), undefined, 2)
    fs.writeFileSync(fileOf(tag), await format(text, { ...style, plugins: [], parser: 'json' }))
  }
}
