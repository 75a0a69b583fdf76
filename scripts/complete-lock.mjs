// Adds lock entries for optional binaries of other platforms that the configured registry does not have. npm
// writes no entries for them, and then `npm ci` rejects npm's own lock file.
import fs from 'node:fs'

const file = process.argv[2] ?? 'package-lock.json'
const lock = JSON.parse(fs.readFileSync(file, 'utf8'))
const packages = lock.packages
const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const cpus = [
  'arm64',
  'x64',
  'ia32',
  'arm',
  'ppc64',
  's390x',
  'riscv64',
  'loong64',
  'mips64el',
  'wasm32',
  'universal',
]

/**
 * The path to which npm would resolve `name` from `path`: the entry of that version, or the place for a new
 * one.
 */
function resolvedPath(path, name, version) {
  let at = `node_modules/${name}`
  for (
    let dir = path;
    ;
    dir = dir.includes('/node_modules/') ? dir.slice(0, dir.lastIndexOf('/node_modules/')) : ''
  ) {
    const entry = packages[`${dir ? `${dir}/` : ''}node_modules/${name}`]
    if (entry?.version === version) return undefined
    if (entry) at = `${path}/node_modules/${name}`
    if (entry || !dir) return at
  }
}

let added = 0
for (const [path, owner] of Object.entries({ ...packages })) {
  for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
    if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(version)) continue
    const at = resolvedPath(path, name, version)
    if (!at) continue
    const words = name.split(/[/@-]/)
    const os = systems.find((s) => words.includes(s)) ?? (words.includes('win') ? 'win32' : undefined)
    const cpu = cpus.find((c) => words.includes(c)) ?? (/eabi/.test(name) ? 'arm' : undefined)
    if (!os && !cpu) {
      console.error('cannot place', name)
      process.exitCode = 1
      continue
    }
    packages[at] = {
      version,
      ...(cpu && cpu !== 'universal' ? { cpu: [cpu] } : {}),
      ...(owner.dev ? { dev: true } : {}),
      ...(name.includes('musl') ? { libc: ['musl'] } : {}),
      optional: true,
      ...(os ? { os: [os] } : {}),
    }
    added++
  }
}
for (const entry of Object.values(packages)) if (!entry.link) delete entry.resolved
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
fs.writeFileSync(file, JSON.stringify(lock, null, 2) + '\n')
console.log(`added ${added} entries`)
