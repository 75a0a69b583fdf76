// npm run release: builds everything and writes to dist/release an archive for each platform, checksums, a
// list of the content, and signatures if PULSE_RELEASE_KEY_FILE names an Ed25519 key. The result is the same
// in any folder.
import { createHash, sign } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { pack } from './archive.mjs'
import { build as buildAll } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './pinned-node.mjs'
import { publicKeyOf, readKey } from './signing.mjs'
import { layOut, layOutCollector, script, scripts } from './release-tree.mjs'
import { bill } from './sbom.mjs'
import { step } from './child.mjs'

const at = (...parts) => path.join(root, ...parts)
/** Architectures in the names of archives, with Node's names. */
export const architectures = { 'linux-amd64': 'x64', 'linux-arm64': 'arm64' }

/**
 * Makes a release of the current build. Without agents it has a third of the size. `collectors`: also archives for sites
 * whose collectors have no database. `change` modifies the
 * folder of a platform before it is packed.
 */
export async function makeRelease({
  out,
  version = JSON.parse(readFileSync(at('package.json'), 'utf8')).version,
  platforms = Object.keys(architectures),
  agents = true,
  collectors = false,
  keyFile = undefined,
  level = undefined,
  change = () => {},
}) {
  const key = keyFile && readKey(keyFile)
  const publicKey = key && publicKeyOf(key)
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const work = mkdtempSync(path.join(os.tmpdir(), 'pulse-release-'))
  const files = []
  const collectorFiles = []
  let build = ''
  try {
    for (const platform of platforms) {
      const name = `pulse-v${version}-${platform}`
      const folder = path.join(work, name)
      const laid = layOut(folder, {
        version,
        platform,
        arch: architectures[platform],
        agents,
        key,
        publicKey,
        change,
      })
      build = laid.build
      const file = `${name}.tar.gz`
      files.push({
        name: file,
        platform,
        ...(await pack(work, name, path.join(out, file), laid.date, level)),
      })
      rmSync(folder, { recursive: true })
      if (collectors) collectorFiles.push(await packCollector({ work, out, version, platform, level }))
    }
  } finally {
    rmSync(work, { recursive: true })
  }
  const sbom = `pulse-v${version}.cdx.json`
  writeFileSync(path.join(out, sbom), bill(version))
  for (const name of scripts) {
    writeFileSync(path.join(out, name), script(name, { version, publicKey }), { mode: 0o755 })
  }
  const channel = version.includes('-') ? 'rc' : 'stable'
  writeFileSync(path.join(out, 'manifest.json'), manifest({ version, channel, build, files }))
  const others = [...collectorFiles, sbom, ...scripts, 'manifest.json'].map((name) => ({
    name,
    sha256: sumOf(path.join(out, name)),
  }))
  const lines = [...files, ...others].map(({ name, sha256 }) => `${sha256}  ${name}\n`)
  writeFileSync(path.join(out, 'SHA256SUMS'), lines.join(''))
  if (key) {
    for (const name of ['manifest.json', 'SHA256SUMS']) {
      const file = path.join(out, name)
      writeFileSync(`${file}.sig`, sign(null, readFileSync(file), key))
    }
  }
  return { version, build, files }
}

/** It is in no list of updates: a collector is replaced by hand or with the tools of its site. */
async function packCollector({ work, out, version, platform, level }) {
  const name = `pulse-collector-v${version}-${platform}`
  const folder = path.join(work, name)
  const { date } = layOutCollector(folder, { version, platform, arch: architectures[platform] })
  await pack(work, name, path.join(out, `${name}.tar.gz`), date, level)
  rmSync(folder, { recursive: true })
  return `${name}.tar.gz`
}

const sumOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Writes each file on its own line, so that shell scripts can read the list without a parser. */
const manifest = ({ files, ...rest }) => {
  const lines = files.map((file) => `    ${JSON.stringify(file)}`)
  return `${JSON.stringify({ name: 'pulse', ...rest }).slice(0, -1)},\n  "files": [\n${lines.join(',\n')}\n  ]\n}\n`
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await ensureInstalled()
  process.argv.push('--all-platforms')
  await buildAll()
  const out = at('dist/release')
  const keyFile = process.env.PULSE_RELEASE_KEY_FILE
  const { files } = await step('Packing', () => makeRelease({ out, keyFile, collectors: true }))
  for (const { name, bytes, sha256 } of files)
    console.log(`${sha256}  ${name} (${(bytes / 1e6).toFixed(0)} MB)`)
  console.log(
    keyFile
      ? `Signed. All of it is in ${out}`
      : `Not signed (PULSE_RELEASE_KEY_FILE). All of it is in ${out}`,
  )
}
