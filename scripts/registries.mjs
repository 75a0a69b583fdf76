// Keeps lists of what a folder contains in step with the folder: adds and removes lines below `// registry: …`, and keeps
// the order of the others. npm run format, npm run dev and npm test write them; npm run check compares (--check).
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './pinned-node.mjs'

const contract = 'packages/contract/src'
const services = 'packages/domain/src/notify/services'
const service =
  /^export const (?<name>\w+): WebhookService = \{[^]*?\bservice: '(?<key>[\w-]+)',[^]*?\bname: '(?<label>[^'\n]+)'/gm
const quoted = (key) => (/^\w+$/.test(key) ? key : `'${key}'`)
const imports = ({ names, from }) => `import { ${names} } from '${from}'`

/** `of`: the files, from the folder of the list; `each`: an entry in one; `lines`: a line for each, by marker. */
const registries = [
  ...['pve', 'pbs', 'pmg'].map((kind) => ({
    list: `apps/server/src/collectors/${kind}/parts.ts`,
    of: 'part-*.ts',
    each: /^export const (?<name>\w+): \w*Part\b/gm,
    lines: { imports, entries: ({ name }) => `${name},` },
  })),
  {
    list: `${services}/index.ts`,
    of: '*.ts',
    each: service,
    lines: { imports, entries: ({ key, name }) => (key === name ? `${name},` : `${quoted(key)}: ${name},`) },
  },
  {
    list: `${contract}/channels/webhook.ts`,
    of: path.posix.relative(`${contract}/channels`, `${services}/*.ts`),
    each: service,
    lines: { services: ({ key, label }) => `${quoted(key)}: '${label}',` },
  },
  {
    list: `${contract}/channels/index.ts`,
    of: '*.ts',
    each: /^export const (?<kind>\w+)Reference = /gm,
    lines: { kinds: ({ kind }) => `'${kind}',`, exports: ({ from }) => `export * from '${from}'` },
  },
  {
    list: `${contract}/reference/notifications.ts`,
    of: '../channels/*.ts',
    each: /^export const (?<name>\w+Reference) = /gm,
    lines: { imports, channels: ({ name }) => `...${name},` },
  },
  {
    list: 'apps/server/src/notify/channels/index.ts',
    of: '*/index.ts',
    each: /^export function (?<name>create\w+Module)\(/gm,
    lines: { imports, entries: ({ name, folder }) => `${folder}: ${name}(edges),` },
  },
  {
    list: 'apps/web/src/features/alerts/destinations/kinds.ts',
    of: '*/card.tsx',
    each: /^export const (?<name>\w+): ChannelKindUi = /gm,
    lines: { imports, entries: ({ name, folder }) => `${folder}: ${name},` },
  },
  {
    list: 'apps/web/src/features/settings/sections.ts',
    of: '*/entry.{ts,tsx}',
    each: /^export const (?<name>\w+): Section = /gm,
    lines: { imports, entries: ({ name }) => `${name},` },
  },
]

/** The entries in the text of a file. `from` is its path from the list. */
export function entriesIn(text, from, each) {
  const found = [...text.matchAll(each)].map(({ groups }) => groups)
  const names = found.map(({ name }) => name).join(', ')
  const specifier = from.startsWith('.') ? from : `./${from}`
  return found.map((groups) => ({ ...groups, names, from: specifier, folder: from.split('/').at(-2) }))
}

/** The list with a line for each entry below each of its markers, up to the next blank line or closing bracket. */
export function inStep(text, entries, lines) {
  return Object.entries(lines).reduce((list, [marker, line]) => {
    const wanted = new Set(entries.map(line))
    const below = new RegExp(`^( *)// registry: ${marker}\n((?! *(?:[\\])}]|\n|$)).*\n)*`, 'm')
    const [old, indent] = below.exec(list) ?? []
    if (old === undefined) throw new Error(`the list has no line "// registry: ${marker}"`)
    const kept = old.split('\n').map((one) => one.trim()).filter((one) => wanted.has(one)) // prettier-ignore
    const all = [`// registry: ${marker}`, ...new Set([...kept, ...wanted])]
    return list.replace(old, () => all.map((one) => `${indent}${one}\n`).join(''))
  }, text)
}

/** Writes the lists that are not in step, or only compares them; returns their paths. */
export function updateRegistries({ folder = root, write = true } = {}) {
  return registries.flatMap(({ list, of, each, lines }) => {
    const cwd = path.join(folder, path.dirname(list))
    if (!existsSync(path.join(folder, list))) return []
    const entries = globSync(of, { cwd })
      .toSorted()
      .filter((file) => !file.endsWith('.test.ts') && path.join(cwd, file) !== path.join(folder, list))
      .flatMap((file) => entriesIn(readFileSync(path.join(cwd, file), 'utf8'), file, each))
    const text = readFileSync(path.join(folder, list), 'utf8')
    const next = inStep(text, entries, lines)
    if (next !== text && write) writeFileSync(path.join(folder, list), next)
    return next === text ? [] : [list]
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isCheck = process.argv.includes('--check')
  const lists = updateRegistries({ write: !isCheck })
  for (const list of lists)
    console.log(isCheck ? `${list} is not in step with its folder: run npm run format.` : `${list} updated`)
  if (isCheck && lists.length > 0) process.exit(1)
}
