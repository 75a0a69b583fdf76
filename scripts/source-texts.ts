import fs from 'node:fs'
import path from 'node:path'
import { root } from './pinned-node.mjs'

/**
 * The product's sources with all white space as single blanks, so that a search finds texts across line
 * breaks.
 */
export function sourceTexts(): { pages: string; all: string } {
  const pages = textsIn(['apps/web/src', 'packages/domain/src', 'packages/contract/src'])
  return { pages, all: pages + textsIn(['apps/server/src']) }
}

const textsIn = (folders: readonly string[]): string =>
  folders
    .flatMap(sourceFiles)
    .map((file) => fs.readFileSync(file, 'utf8'))
    .join('\n')
    .replace(/\s+/g, ' ')

function sourceFiles(folder: string): string[] {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|mjs)$/.test(name) && !/\.test\.tsx?$|given|fixtures|fake|testing\//.test(name))
    .map((name) => path.join(root, folder, name))
}

/** Texts of the sources that only look like variables, and variables that no user sets. */
const others = [
  // parts of names that begin with PROXY_AUTH_
  /^(SECRET|(USER|ROLE)_HEADER|ROLE_SEPARATOR|ADMIN_ROLE|LOGOUT_URL)$/,
  // error codes of Node and of libraries
  /^(ERR|FST|HPE|INVALID|OAUTH|SQLITE|UNABLE|CERT|DEPTH|SELF|EAI)_/,
  /^HEALTH_/,
  // variables between npm, systemd and our programs
  /^(INIT_CWD|INVOCATION_ID|JOURNAL_STREAM|MALLOC_ARENA_MAX|XDG_RUNTIME_DIR|UV_THREADPOOL_SIZE|SSL_CERT_(DIR|FILE))$/,
  /^(PULSE_BUILD|PULSE_RELEASE_DIR|DOCKER_TLS_VERIFY)$/,
]

/** A file of `deploy`. */
export const deployText = (name: string): string => fs.readFileSync(path.join(root, 'deploy', name), 'utf8')

/**
 * Variables in the sources of server and agent that a user sets, and all variables, including those in
 * `deploy`.
 */
export function variablesInSources(): { settings: Set<string>; all: Set<string> } {
  const quoted = /(['"`])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\1/g
  const files = [...sourceFiles('apps/server/src'), ...sourceFiles('apps/agent/src')]
  const settings = new Set<string>()
  for (const file of files) {
    for (const [, , name] of fs.readFileSync(file, 'utf8').matchAll(quoted))
      if (!others.some((form) => form.test(name!))) settings.add(name!)
  }
  for (const name of ['SECRET', 'USER_HEADER', 'ROLE_HEADER', 'ROLE_SEPARATOR', 'ADMIN_ROLE', 'LOGOUT_URL'])
    settings.add(`PROXY_AUTH_${name}`)
  const deploy = fs
    .readdirSync(path.join(root, 'deploy'), { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.endsWith('.md') && fs.statSync(path.join(root, 'deploy', name)).isFile())
    .flatMap((name) => deployText(name).match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? [])
  const tools = ['scripts', 'apps/lab/src'].flatMap(sourceFiles)
  const all = [...files, ...tools].flatMap(
    (file) => fs.readFileSync(file, 'utf8').match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? [],
  )
  return { settings, all: new Set([...settings, ...deploy, ...all]) }
}
