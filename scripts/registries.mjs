// Keeps lists of a folder's content up to date: adds and removes lines below `// registry: …`, and keeps the
// order of the others. npm run format and npm run dev write the lists; npm run check compares them (--check).
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './pinned-node.mjs'

const [contract, server, web] = ['packages/contract/src', 'apps/server/src', 'apps/web/src/features']
const services = 'packages/domain/src/notify/services'

/** Entries are exports of this type. */
const typed = (type) => new RegExp(`^export const (?<name>\\w+): ${type} = `, 'gm')
const service =
  /^export const (?<name>\w+): WebhookService = \{[^]*?\bservice: '(?<key>[\w-]+)',[^]*?\bname: (?<label>'(?:[^'\\\n]|\\.)+'|"[^"\n]+")/gm

const imports = ({ names, from }) => `import { ${names} } from '${from}'`
const named = { imports, entries: ({ name }) => `${name},` }
const quoted = (key) => (/^\w+$/.test(key) ? key : `'${key}'`)
const keyed = ({ key, name }) => (key === name ? `${name},` : `${quoted(key)}: ${name},`)
const kinds = { kinds: ({ kind }) => `'${kind}',`, exports: ({ from }) => `export * from '${from}'` }

/**
 * Each list with the files of its folder, the pattern of entries in a file, and by marker the line for each
 * entry.
 */
const registries = [
  ...['pve', 'pbs', 'pmg'].map((kind) => [
    `${server}/collectors/${kind}/parts.ts`,
    'part-*.ts',
    /^export const (?<name>\w+): \w*Part\b/gm,
    named,
  ]),
  [`${server}/agent-kinds.ts`, '*/index.ts', typed('AgentKind'), named],
  [`${services}/index.ts`, '*.ts', service, { imports, entries: keyed }],
  [
    `${contract}/channels/webhook.ts`,
    path.posix.relative(`${contract}/channels`, `${services}/*.ts`),
    service,
    { services: ({ key, label }) => `${quoted(key)}: ${label},` },
  ],
  [`${contract}/channels/index.ts`, '*.ts', /^export const (?<kind>\w+)Reference = /gm, kinds],
  [
    `${contract}/reference/notifications.ts`,
    '../channels/*.ts',
    /^export const (?<name>\w+Reference) = /gm,
    { imports, channels: ({ name }) => `...${name},` },
  ],
  [
    `${server}/notify/channels/index.ts`,
    '*/index.ts',
    /^export function (?<name>create\w+Module)\(/gm,
    { imports, entries: ({ name, folder }) => `${folder}: ${name}(edges),` },
  ],
  [
    `${web}/alerts/destinations/kinds.ts`,
    '*/card.tsx',
    typed('ChannelKindUi'),
    { imports, entries: ({ name, folder }) => `${folder}: ${name},` },
  ],
  [`${web}/settings/sections.ts`, '*/entry.{ts,tsx}', typed('Section'), named],
]

/** The entries in a file's text. `from` is the file's path relative to the list. */
export function entriesIn(text, from, each) {
  const found = [...text.matchAll(each)].map(({ groups }) => groups)
  const names = found.map(({ name }) => name).join(', ')
  const specifier = from.startsWith('.') ? from : `./${from}`
  return found.map((groups) => ({ ...groups, names, from: specifier, folder: from.split('/').at(-2) }))
}

/** The formatter breaks a line that imports several names and is too long. */
const broken = 'import \\{\n(?: +.*\n)+\\} from .*\n'
const inOneLine = (line) => line.trim().replaceAll(/\s+/g, ' ').replace(/, \}/, ' }')

/** The list with a line for each entry below each of its markers, up to the next blank line or closing bracket. */
export function inStep(text, entries, lines) {
  return Object.entries(lines).reduce((list, [marker, line]) => {
    const wanted = new Set(entries.map(line))
    const below = new RegExp(`^( *)// registry: ${marker}\n((?:${broken}|(?! *(?:[\\])}]|\n|$)).*\n)*)`, 'm')
    const [old, indent, all] = below.exec(list) ?? []
    if (old === undefined) throw new Error(`the list has no line "// registry: ${marker}"`)
    const kept = new Map()
    for (const one of all.match(new RegExp(`${broken}|.+\n`, 'g')) ?? [])
      if (wanted.has(inOneLine(one))) kept.set(inOneLine(one), `${indent}${one.trim()}\n`)
    const added = [...wanted].filter((one) => !kept.has(one)).map((one) => `${indent}${one}\n`)
    return list.replace(old, () => [`${indent}// registry: ${marker}\n`, ...kept.values(), ...added].join(''))
  }, text)
}

/** Writes outdated lists, or only finds them; returns their paths. */
export function updateRegistries({ folder = root, write = true } = {}) {
  return registries.flatMap(([list, of, each, lines]) => {
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
