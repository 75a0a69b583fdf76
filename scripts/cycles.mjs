// Fails when files or folders import one another in a cycle, including type imports. The files and subfolders
// of each folder must have an order.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './pinned-node.mjs'

const trees = [
  'apps/lab/src',
  'apps/server/src',
  'apps/web/src',
  'packages/contract/src',
  'packages/domain/src',
  'packages/testkit/src',
]

/** Tests, their fixtures and helpers that only tests use may import everything. */
const isTest = (file) => /(^|\/)testing\/|\.test\.tsx?$|(^|\/)(given|fixtures)(-[^/]*)?\.tsx?$/.test(file)

/** The imports of each file in a tree, as paths in the tree. */
export function readTree(folder) {
  const names = readdirSync(folder, { recursive: true }).map((name) => name.split(path.sep).join('/'))
  const files = names.filter((name) => /\.tsx?$/.test(name) && !isTest(name))
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(path.join(folder, file), 'utf8'))]))
}

export function importsOf(file, text) {
  const found = text.matchAll(/\b(?:from|import)\s*\(?\s*(['"])(\.[^'"]+)\1/g)
  return [...found].map(([, , target]) => path.posix.join(path.posix.dirname(file), target))
}

/** All cycles with their imports, each cycle once. */
export function cyclesOf(imports) {
  const folders = new Map()
  for (const [file, targets] of imports) {
    for (const target of targets) {
      if (!imports.has(target)) continue
      const { folder, from, to } = apart(file, target)
      const links = folders.get(folder) ?? new Map()
      folders.set(folder, links)
      links.set(from, [...(links.get(from) ?? []), { to, file, target }])
    }
  }
  return [...folders].flatMap(([folder, links]) =>
    circles(links).map((members) => show(folder, links, members)),
  )
}

/** The common folder of two files, and the next part of their paths. */
function apart(file, target) {
  const [a, b] = [file.split('/'), target.split('/')]
  let depth = 0
  while (depth < a.length - 1 && a[depth] === b[depth]) depth += 1
  return { folder: a.slice(0, depth).join('/'), from: a[depth], to: b[depth] }
}

/** Groups of names that import one another, directly or indirectly. */
function circles(links) {
  const reach = (start) => {
    const seen = new Set()
    const waiting = [start]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const { to } of links.get(next) ?? []) {
        if (to === next || seen.has(to)) continue
        seen.add(to)
        waiting.push(to)
      }
    }
    return seen
  }
  const reached = new Map([...links.keys()].map((name) => [name, reach(name)]))
  const groups = [...reached]
    .filter(([name, seen]) => seen.has(name))
    .map(([name, seen]) => [...seen].filter((other) => reached.get(other)?.has(name)).sort())
  return [...new Map(groups.map((group) => [group.join(), group])).values()]
}

function show(folder, links, members) {
  const inside = members.flatMap((name) => (links.get(name) ?? []).filter(({ to }) => members.includes(to)))
  const lines = inside
    .filter(({ file, target }) => file !== target)
    .map(({ file, target }) => `  ${file} imports ${target}`)
  return [`${folder || '.'}: ${members.join(', ')} import one another`, ...lines.slice(0, 20)].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = trees
    .filter((tree) => existsSync(path.join(root, tree)))
    .flatMap((tree) => cyclesOf(readTree(path.join(root, tree))).map((text) => `${tree}/${text}`))
  for (const text of found) console.log(text)
  if (found.length > 0) process.exit(1)
}
