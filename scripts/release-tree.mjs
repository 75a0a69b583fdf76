import { createHash, sign } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { agentList } from './signing.mjs'
import { nodeFor, withoutSymbols } from './node-program.mjs'
import { root } from './pinned-node.mjs'
import { behindFlags, productFlags, productVariables, serveFlags } from './product.mjs'
import { bill, licences } from './sbom.mjs'

const at = (...parts) => path.join(root, ...parts)
/** Excludes files that only the build needs: its stamp, caches and source maps. */
const ships = (file) => !/(\.built|\.compile-cache|\.map)$/.test(file)

/** Writes the release of one platform to a folder, with the content of its archive. */
export function layOut(folder, { version, platform, arch, agents, key, publicKey, change }) {
  const { to, write, copy } = into(folder)
  layOutProgram({ write, copy }, { version, arch })
  copy('apps/web/dist', 'web')
  mkdirSync(to('agent'))
  if (agents) copy('apps/agent/dist', 'agent')
  if (agents && key) {
    const list = agentList(to('agent'))
    write('agent/agents.json', list)
    write('agent/agents.json.sig', sign(null, Buffer.from(list), key))
  }
  copy('deploy/systemd', 'systemd')
  if (publicKey) write('release-key.pem', publicKey)
  change(folder)
  const { build, date } = finish(folder, write, { name: 'pulse', version, platform })
  for (const name of scripts) write(name, script(name, { version, publicKey }), 0o755)
  return { build, date }
}

/** The same program without pages and agents, for sites whose collectors have no database. */
export function layOutCollector(folder, { version, platform, arch }) {
  const { write, copy } = into(folder)
  layOutProgram({ write, copy }, { version, arch })
  copy('deploy/collector/pulse-collector.service', 'pulse-collector.service')
  return finish(folder, write, { name: 'pulse-collector', version, platform })
}

function into(folder) {
  const to = (...parts) => path.join(folder, ...parts)
  return {
    to,
    write(name, text, mode = 0o644) {
      mkdirSync(path.dirname(to(name)), { recursive: true })
      writeFileSync(to(name), text, { mode })
    },
    copy: (from, name) => cpSync(at(from), to(name), { recursive: true, filter: ships }),
  }
}

function layOutProgram({ write, copy }, { version, arch }) {
  write('bin/node', withoutSymbols(readFileSync(nodeFor(arch, true))), 0o755)
  copy('apps/server/dist', 'server/dist')
  write('server/package.json', `${JSON.stringify({ name: 'pulse', version, type: 'module' })}\n`)
  copy('LICENSE', 'LICENSE')
  write('LICENCES-OF-OTHERS', licences())
  write('sbom.cdx.json', bill(version))
}

/** Names the build by its content, which is complete apart from the launcher. */
function finish(folder, write, facts) {
  const sum = sumOf(folder)
  const build = sum.slice(0, 12)
  write('release.json', `${JSON.stringify({ ...facts, build, node: process.versions.node })}\n`)
  write('bin/pulse', launcher({ version: facts.version, build }), 0o755)
  return { build, date: dateOf(sum) }
}

/** A checksum over the paths and contents of all files. */
function sumOf(folder) {
  const hash = createHash('sha256')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const names = files.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
  for (const name of names.toSorted()) {
    const content = createHash('sha256').update(readFileSync(path.join(folder, name)))
    hash.update(`${name} ${content.digest('hex')}\n`)
  }
  return hash.digest('hex')
}

/**
 * Different files need different dates, because caches treat files of equal size and date as equal. The date
 * comes from the content, so that every build has the same one: a second in the years 2000 to 2008.
 */
const dateOf = (sum) => 946_684_800 + parseInt(sum.slice(0, 7), 16)

function launcher({ version, build }) {
  const variables = Object.entries(productVariables).map(([name, value]) => `${name}=${value}`)
  return fill(readFileSync(at('deploy/release/pulse'), 'utf8'), {
    VERSION: version,
    BUILD: build,
    FLAGS: productFlags.join(' '),
    BEHINDFLAGS: behindFlags.join(' '),
    SERVEFLAGS: serveFlags.join(' '),
    VARIABLES: variables.join(' '),
  })
}

/** Included in the archive, and published next to it for a first installation. */
export const scripts = ['install.sh', 'proxmox-lxc.sh']

export const script = (name, { version, publicKey = '' }) =>
  fill(readFileSync(at('deploy/release', name), 'utf8'), { VERSION: version, KEYS: publicKey.trim() })

/** Replaces each `@NAME@` by its value. Throws if a value is missing. */
function fill(text, values) {
  return text.replaceAll(/@([A-Z]+)@/g, (_, name) => {
    if (values[name] === undefined) throw new Error(`there is no value for @${name}@`)
    return values[name]
  })
}
