import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { entriesIn, inStep, updateRegistries } from './registries.mjs'
import { root } from './pinned-node.mjs'

const parts = (files: Record<string, string>) =>
  Object.entries(files).flatMap(([file, text]) => entriesIn(text, file, /^export const (?<name>\w+): Part/gm))
const lines = {
  imports: ({ names, from }: { names: string; from: string }) => `import { ${names} } from '${from}'`,
  entries: ({ name }: Record<string, string | undefined>) => `${name},`,
}
const list = `// registry: imports
import { b } from './part-b.ts'
import { gone } from './part-gone.ts'

export const parts = [
  // registry: entries
  gone,
  b,
]
export const other = [kept]
`

test('what is gone is removed, what is new comes last, and the rest keeps its order and place', () =>
  expect(
    inStep(
      list,
      parts({ 'part-a.ts': 'export const a: Part = {}', 'part-b.ts': 'export const b: Part' }),
      lines,
    ),
  ).toBe(`// registry: imports
import { b } from './part-b.ts'
import { a } from './part-a.ts'

export const parts = [
  // registry: entries
  b,
  a,
]
export const other = [kept]
`))

test('several entries of a file are one import, and other exports are no entries', () =>
  expect(
    inStep(
      '// registry: imports\n',
      parts({ '../x/part-a.ts': 'export const a: Part\nexport const limit = 3\nexport const b: Part' }),
      { imports: lines.imports },
    ),
  ).toBe("// registry: imports\nimport { a, b } from '../x/part-a.ts'\n"))

test('an import that the formatter broke into lines is kept as it is, and goes as a whole', () => {
  const broken =
    "// registry: imports\nimport {\n  a,\n  b,\n} from './part-a.ts'\nimport { c } from './c.ts'\n\nrest\n"
  const files = parts({
    'part-a.ts': 'export const a: Part\nexport const b: Part',
    'c.ts': 'export const c: Part',
  })
  const { imports } = lines
  expect(inStep(broken, files, { imports })).toBe(broken)
  expect(inStep(broken, files.slice(2), { imports })).toBe(
    "// registry: imports\nimport { c } from './c.ts'\n\nrest\n",
  )
})

test('a list without its marker is an error', () =>
  expect(() => inStep('export const parts = []\n', [], lines)).toThrow('registry: imports'))

test('the lists of this repository are in step with its folders', () =>
  expect(updateRegistries({ folder: root, write: false })).toEqual([]))

describe('in a checkout', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'registries-'))
    for (const tree of ['packages/contract/src', 'packages/domain/src', 'apps/server/src', 'apps/web/src'])
      cpSync(path.join(root, tree), path.join(folder, tree), {
        recursive: true,
        filter: (file) => !/\.test\.tsx?$/.test(file),
      })
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const put = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
  }
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')

  test('a file for a new webhook service is enough: the list beside it and the contract name it', () => {
    put(
      'packages/domain/src/notify/services/smoke-signal.ts',
      "export const smokeSignal: WebhookService = {\n  template: {\n    service: 'smoke-signal',\n    name: 'Smoke Signal',\n",
    )
    expect(updateRegistries({ folder })).toHaveLength(2)
    expect(read('packages/domain/src/notify/services/index.ts')).toContain(
      "  'smoke-signal': smokeSignal,\n}",
    )
    expect(read('packages/contract/src/channels/webhook.ts')).toContain(
      "  'smoke-signal': 'Smoke Signal',\n}",
    )
    expect(updateRegistries({ folder })).toEqual([])
  })

  test('the name of a webhook service may have an apostrophe', () => {
    put(
      'packages/domain/src/notify/services/bell.ts',
      "export const bell: WebhookService = {\n  template: {\n    service: 'bell',\n    name: \"Bell's\",\n",
    )
    expect(updateRegistries({ folder })).toHaveLength(2)
    expect(read('packages/contract/src/channels/webhook.ts')).toContain('  bell: "Bell\'s",\n}')
  })

  test('a kind of channel is listed by the contract, the server and the browser', () => {
    put('packages/contract/src/channels/pigeon.ts', 'export const pigeonReference = {}\n')
    put('apps/server/src/notify/channels/pigeon/index.ts', 'export function createPigeonModule() {}\n')
    put(
      'apps/web/src/features/alerts/destinations/pigeon/card.tsx',
      'export const pigeonKind: ChannelKindUi = {}\n',
    )
    expect(updateRegistries({ folder })).toHaveLength(4)
    expect(read('packages/contract/src/channels/index.ts')).toContain("  'pigeon',\n] as const")
    expect(read('packages/contract/src/reference/notifications.ts')).toContain('  ...pigeonReference,\n\n')
    expect(read('apps/server/src/notify/channels/index.ts')).toContain(
      '  pigeon: createPigeonModule(edges),\n}',
    )
    expect(read('apps/web/src/features/alerts/destinations/kinds.ts')).toContain('  pigeon: pigeonKind,\n}')
  })
})
