import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './pinned-node.mjs'

const at = (...parts) => path.join(root, ...parts)
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

/** Workspaces with dependencies that ship with the product. */
const apps = ['apps/server', 'apps/web', 'apps/agent']

/** The third-party packages in a release, by their path in the lock file. */
export function shipped() {
  const { packages } = readJson(at('package-lock.json'))
  const found = new Map()
  const visit = (from, names) => names.map((name) => take(packages, from, name, found, visit))
  for (const app of apps) visit(app, Object.keys(packages[app].dependencies ?? {}))
  return [...found.values()].filter(Boolean).toSorted((a, b) => (a.ref < b.ref ? -1 : 1))
}

function take(packages, from, name, found, visit) {
  const lockPath = lockPathOf(packages, from, name)
  if (found.has(lockPath)) return found.get(lockPath)?.ref
  const entry = packages[lockPath]
  if (entry.link) {
    found.set(lockPath, undefined)
    visit(entry.resolved, Object.keys(packages[entry.resolved].dependencies ?? {}))
    return undefined
  }
  const one = {
    ref: `pkg:npm/${name.replace('@', '%40')}@${entry.version}`,
    name,
    version: entry.version,
    folder: at(lockPath),
    integrity: entry.integrity,
    license: entry.license,
    needs: [],
  }
  found.set(lockPath, one)
  // a bundle contains an optional package that is installed
  const needs = { ...entry.dependencies, ...installed(entry.optionalDependencies) }
  one.needs = visit(lockPath, Object.keys(needs)).filter(Boolean)
  return one.ref
}

const installed = (packages = {}) =>
  Object.fromEntries(Object.entries(packages).filter(([name]) => existsSync(at('node_modules', name))))

/** Resolves a package like Node: next to the importing package, then in the folders above. */
function lockPathOf(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const lockPath = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (packages[lockPath]) return lockPath
    if (folder === '') throw new Error(`the lock file has no ${name}, which ${from} needs`)
  }
}

/** A CycloneDX bill of materials, without a timestamp. */
export function bill(version) {
  const packages = shipped()
  const self = {
    type: 'application',
    'bom-ref': `pulse@${version}`,
    name: 'pulse',
    version,
    licenses: [licenseOf('MIT')],
  }
  const node = runtime()
  const text = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: self },
    components: [node, ...packages.map(component)],
    dependencies: [
      { ref: self['bom-ref'], dependsOn: [node['bom-ref'], ...packages.map(({ ref }) => ref)] },
      { ref: node['bom-ref'] },
      ...packages.map(({ ref, needs }) => ({
        ref,
        ...(needs.length > 0 && { dependsOn: needs.toSorted() }),
      })),
    ],
  }
  return `${JSON.stringify(text, null, 2)}\n`
}

const component = ({ ref, name, version, integrity, license }) => ({
  type: 'library',
  'bom-ref': ref,
  name,
  version,
  purl: ref,
  hashes: [
    { alg: 'SHA-512', content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') },
  ],
  licenses: [licenseOf(license)],
})

const licenseOf = (id) => (/[ ()]/.test(id) ? { expression: id } : { license: { id } })

/** Node and its built-in components. */
function runtime() {
  const { node, modules: _, ...inside } = process.versions
  const ref = `pkg:generic/node@${node}`
  const parts = Object.entries(inside).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    type: 'framework',
    'bom-ref': ref,
    name: 'node',
    version: node,
    purl: ref,
    licenses: [licenseOf('MIT')],
    components: parts.map(([name, version]) => ({
      type: 'library',
      'bom-ref': `${ref}#${name}`,
      name,
      version,
    })),
  }
}

/** The licence texts of third-party packages. */
export function licences() {
  const texts = shipped().map(({ name, version, license, folder }) => {
    const file = existsSync(folder) && readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one))
    const text = file ? readFileSync(path.join(folder, file), 'utf8').trim() : `Licence: ${license}`
    return `${name} ${version}\n\n${text}\n`
  })
  return texts.join(`\n${'-'.repeat(72)}\n\n`)
}
