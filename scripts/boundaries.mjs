// Fails when an import crosses a boundary: from one server area into another, from one feature of the browser
// program into another or past its page, to an experimental Node module, or to SQL outside of the database
// folder.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readTree } from './cycles.mjs'
import { root } from './pinned-node.mjs'

/** Only these files may import areas, because they compose them. */
const composition = /^(?:main|program|server|product|remote|switch)\.ts$|^(?:start|commands|remote)\//

/** Experimental modules of Node, which may change or disappear with any release. */
const refusedModules = ['ffi']

/**
 * Imports of another area's folder. An area gets its dependencies from `server.ts`; areas may import shared
 * code.
 */
export function areaCrossings(imports, areas) {
  const areaOf = (file) => areas.find((area) => file.startsWith(`${area}/`))
  return pairs(imports).filter(([file, target]) => {
    const to = areaOf(target)
    return to !== undefined && to !== areaOf(file) && !composition.test(file)
  })
}

/** Imports of another feature, and imports of a feature from outside. The app may import a feature's page. */
export function featureCrossings(imports) {
  const featureOf = (file) => /^features\/([^/]+)\//.exec(file)?.[1]
  return pairs(imports).filter(([file, target]) => {
    const to = featureOf(target)
    if (to === undefined || to === featureOf(file)) return false
    return !(file.startsWith('app/') && target === `features/${to}/page.tsx`)
  })
}

/** Detects every way to load the module: `import`, `require`, `process.getBuiltinModule`, or its flag. */
export const refusedIn = (text) =>
  refusedModules
    .filter((name) => new RegExp(`['"\`]node:${name}['"\`]|--experimental-${name}\\b`).test(text))
    .map((name) => `node:${name}`)

/**
 * Detects SQL of a dialect. The rest of the server uses the query builder and transactions, which work with
 * any database.
 */
export const speaksSql = (file, text) =>
  !/^db\/|\.test\.ts$|^month\//.test(file) &&
  // the lock of the data folder has its own file
  file !== 'start/data-dir.ts' &&
  (/from 'node:sqlite'/.test(text) || /import (?:type )?\{[^}]*\bsql\b[^}]*\} from 'kysely'/.test(text))

const pairs = (imports) =>
  [...imports].flatMap(([file, targets]) =>
    targets.filter((target) => imports.has(target)).map((target) => [file, target]),
  )

/** Folders of the server whose `index.ts` exports an area. */
export const areasOf = (texts) =>
  [...texts]
    .filter(
      ([file, text]) => file.endsWith('/index.ts') && /^export (?:function|const) \w+Area\b/m.test(text),
    )
    .map(([file]) => path.posix.dirname(file))

function textsOf(folder) {
  const names = readdirSync(folder, { recursive: true }).map((name) => name.split(path.sep).join('/'))
  const sources = names.filter(
    (name) => /\.(?:tsx?|mjs)$/.test(name) && !/(^|\/)(node_modules|dist)\//.test(name),
  )
  return new Map(sources.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [server, web] = ['apps/server/src', 'apps/web/src']
  const at = (folder) => path.join(root, folder)
  const problems = [
    ...areaCrossings(readTree(at(server)), areasOf(textsOf(at(server)))).map(
      ([file, target]) => `${server}/${file} imports ${target}: an area imports no other area`,
    ),
    ...[...textsOf(at(server))]
      .filter(([file, text]) => speaksSql(file, text))
      .map(([file]) => `${server}/${file} speaks SQL: only ${server}/db does`),
    ...featureCrossings(readTree(at(web))).map(
      ([file, target]) =>
        `${web}/${file} imports ${target}: only the app imports a feature, and only its page`,
    ),
    ...['apps', 'packages', 'e2e', 'bench', 'scripts'].flatMap((folder) =>
      [...textsOf(at(folder))].flatMap(([file, text]) =>
        refusedIn(text).map((name) => `${folder}/${file} imports ${name}, which is experimental`),
      ),
    ),
  ]
  for (const problem of problems) console.log(problem)
  if (problems.length > 0) process.exit(1)
}
