import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.dirname(import.meta.dirname)
const read = (file: string) => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8')) as Package & Lock

interface Package {
  dependencies?: Record<string, string>
}
interface Lock {
  packages: Record<
    string,
    {
      link?: boolean
      integrity?: string
      resolved?: string
      hasInstallScript?: boolean
      dev?: boolean
      optional?: boolean
      devOptional?: boolean
    }
  >
}

const entries = Object.entries(read('package-lock.json').packages).filter(([name]) =>
  name.includes('node_modules/'),
)
const fetched = entries.filter(([, { link }]) => !link)

test('[S20] few direct packages at run time, each by its exact version', () => {
  const direct = new Map<string, string>()
  for (const folder of ['apps', 'packages']) {
    for (const name of fs.readdirSync(path.join(root, folder))) {
      if (['lab', 'testkit'].includes(name)) continue
      for (const [one, version] of Object.entries(
        read(path.join(folder, name, 'package.json')).dependencies ?? {},
      ))
        if (!one.startsWith('@pulse/')) direct.set(one, version)
    }
  }
  expect(direct.size).toBeLessThanOrEqual(40)
  for (const [name, version] of direct) expect(version, name).toMatch(/^\d+\.\d+\.\d+/)
})

test('[S20] every package has a checksum and no address', () => {
  expect(fetched.length).toBeGreaterThan(50)
  for (const [name, { integrity, resolved, optional, dev }] of fetched) {
    expect(resolved, name).toBeUndefined()
    // parts of build tools for other systems, whose data were missing in the registry when the lock was
    // written
    const isElsewhere = optional && dev && !fs.existsSync(path.join(root, name))
    if (!isElsewhere) expect(integrity, name).toMatch(/^sha512-/)
  }
})

test('[S20] no package of the product has an install script', () => {
  const scripted = fetched.filter(([, entry]) => entry.hasInstallScript && !entry.dev && !entry.devOptional)
  expect(scripted.map(([name]) => name)).toEqual([])
})
