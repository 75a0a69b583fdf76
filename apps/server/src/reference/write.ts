// Writes the API reference to the given file or to standard output. A separate program, because it loads the
// contract with its comments and is not part of the server.
import type { Endpoint, ErrorCode } from '@pulse/contract'
import fs from 'node:fs'
import { registerHooks } from 'node:module'
import type * as z from 'zod/mini'
import { withComments } from './comments.ts'

type Schema = z.ZodMiniType

const commentOf = new Map<Schema, string>()
const callCommentOf = new Map<Endpoint, string>()

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && '_zod' in value
const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value && 'method' in value

/** A shared schema with its own comment becomes a separate copy. */
function describe(value: unknown, text: string): unknown {
  if (isEndpoint(value)) callCommentOf.set(value, text)
  if (!isSchema(value)) return value
  const own = value.clone(value._zod.def, { parent: true })
  commentOf.set(own, text)
  return own
}

const contractSource = new URL('../../../../packages/contract/src/', import.meta.url).href
const name = '__pulseDescribe'
Object.assign(globalThis, { [name]: describe })
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.startsWith(contractSource)) return loaded
    return { ...loaded, source: withComments(url, String(loaded.source), name) }
  },
})

const [contract, { chapters }, { openApiDocument }] = await Promise.all([
  import('@pulse/contract'),
  import('@pulse/contract/reference'),
  import('./document.ts'),
])
const exported = Object.entries(contract as Record<string, unknown>)
const nameOf = new Map(
  exported.flatMap(([id, value]) => (isSchema(value) && /^[A-Z]/.test(id) ? [[value, id] as const] : [])),
)
const calls = Object.fromEntries(
  exported.flatMap(([id, value]) => (isEndpoint(value) ? [[id, value] as const] : [])),
)
const meanings = readMeanings()
const document = openApiDocument({
  calls,
  chapters,
  nameOf,
  commentOf,
  callCommentOf,
  answers: readAnswers(),
  meaningOf: (code) => meanings.get(code) ?? code,
})
const text = JSON.stringify(document)
const file = process.argv[2]
if (file) fs.writeFileSync(file, text)
else process.stdout.write(text)

/** The stored answers of a server. A test repeats every call and compares the results. */
function readAnswers(): Record<string, unknown> {
  const folder = new URL('examples/', import.meta.url)
  const files = fs.readdirSync(folder).map((name) => fs.readFileSync(new URL(name, folder), 'utf8'))
  return Object.assign({}, ...files.map((text) => JSON.parse(text) as object)) as Record<string, unknown>
}

/** The meanings of the codes, from the error table in the documentation. */
function readMeanings(): Map<ErrorCode, string> {
  const table = fs.readFileSync(new URL('../../../../docs/api-errors.md', import.meta.url), 'utf8')
  const rows = table.split('\n').filter((line) => line.startsWith('| `'))
  return new Map(
    rows.map((row) => {
      const [, code = '', , meaning = ''] = row.split('|').map((cell) => cell.trim())
      return [code.replaceAll('`', '') as ErrorCode, meaning]
    }),
  )
}
