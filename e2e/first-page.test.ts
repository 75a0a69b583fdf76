import fs from 'node:fs'
import path from 'node:path'
import { recordSchemas } from '@pulse/contract'
import { describe, expect, test } from 'vitest'

const at = (...parts: string[]) => path.join(import.meta.dirname, '..', ...parts)
const dist = at('apps/web/dist')
const html = fs.readFileSync(path.join(dist, 'index.html'), 'utf8')
const firstPage = [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map((match) => match[1]!)
const everything = fs
  .readdirSync(dist, { recursive: true })
  .map(String)
  .filter((name) => /\.(js|css)$/.test(name))

const read = (name: string) => fs.readFileSync(path.join(dist, name), 'utf8')
/** A file and all its static imports. */
function withImports(first: string): string[] {
  const found = new Set([first])
  for (const name of found) {
    for (const match of read(name).matchAll(/from"\.\/([^"]+\.js)"/g)) found.add(`assets/${match[1]}`)
  }
  return [...found]
}
/** The code of every page that the frame requests at once. */
const atStart = everything.filter((name) => /\/at-start-.*\.js$/.test(name))
const requested = [...new Set([...firstPage, ...atStart.flatMap(withImports)])]

const kilobytes = (names: readonly string[]) =>
  names.reduce((sum, name) => sum + fs.statSync(path.join(dist, `${name}.br`)).size, 0) / 1000

describe('what the browser loads', () => {
  test('the part of every page is among what is counted', () => expect(atStart).toHaveLength(1))

  test('all that is requested before the first row is: 170 kB of brotli at most, the document asks for few files of it; the whole app 600', () => {
    expect(firstPage.filter((name) => /page-.*\.js$/.test(name))).toHaveLength(1)
    expect(kilobytes(requested)).toBeLessThanOrEqual(170)
    // first script, style, program, page, its parts, the code that connects them, and three shared files of half a kB
    expect(firstPage.length).toBeLessThanOrEqual(9)
    expect(kilobytes(everything)).toBeLessThanOrEqual(600)
  })

  test('the code of the first page is asked for by the document, all of it', () => {
    const imported = firstPage
      .filter((name) => name.endsWith('.js'))
      .flatMap((name) =>
        [...read(name).matchAll(/from"\.\/([^"]+\.js)"/g)].map((match) => `assets/${match[1]}`),
      )
    expect(imported.filter((name) => !firstPage.includes(name))).toEqual([])
  })

  test('the program, what the first page is made of, and the page itself are compiled while they come in', () => {
    const asks = (name: string) => read(name).startsWith('//# allFunctionsCalledOnLoad\n')
    const asking = everything.filter((name) => name.endsWith('.js') && asks(name))
    expect(asking.map((name) => name.match(/(index|first|page)-/)?.[1]).toSorted()).toEqual([
      'first',
      'index',
      'page',
    ])
    expect(asking.filter((name) => !firstPage.includes(name))).toEqual([])
  })

  test('no schema is in it: neither the library nor, in the whole app, a field that only a schema of a record names', () => {
    for (const name of requested) expect(read(name), name).not.toContain('_zod')
    // tables of the contract that the program reads also contain field names
    const tables = ['kinds.ts', 'entities/sampled-fields.ts', 'figures/storage.ts'].map((name) =>
      at(`packages/contract/src/${name}`),
    )
    const program = [...sources(at('apps/web/src')), ...sources(at('packages/domain/src')), ...tables]
      .map((file) => fs.readFileSync(file, 'utf8'))
      .join('\n')
    const fields = Object.values(recordSchemas).flatMap((schema) =>
      'shape' in schema ? Object.keys(schema.shape) : [],
    )
    const ofSchemasAlone = [...new Set(fields)].filter((field) => !new RegExp(`\\b${field}\\b`).test(program))
    expect(ofSchemasAlone.length).toBeGreaterThan(5)
    const shipped = everything.filter((name) => name.endsWith('.js')).map(read)
    const found = ofSchemasAlone.filter((field) =>
      shipped.some((code) => new RegExp(`\\b${field}:`).test(code)),
    )
    expect(found).toEqual([])
  })
})

const sources = (folder: string) =>
  fs
    .readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
