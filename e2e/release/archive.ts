import { execFileSync, spawnSync } from 'node:child_process'
import { verify } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/pinned-node.mjs'
import { type ReleaseFixture, platform } from './fixtures.ts'

interface Bill {
  bomFormat: string
  specVersion: string
  components: { 'bom-ref': string; name: string; version: string; hashes?: { content: string }[] }[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

export function archiveTests(given: ReleaseFixture): void {
  const file = (name: string) => path.join(given.folder, name)
  let unpacked: string
  let names: string[]
  beforeAll(() => {
    unpacked = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-unpacked-'))
    const words = ['-xvzf', file(`${given.name}.tar.gz`), '-C', unpacked, '--exclude=*/bin/node']
    names = execFileSync('tar', words, { encoding: 'utf8' }).trim().split('\n')
  })
  afterAll(() => fs.rmSync(unpacked, { recursive: true }))
  const inside = (name: string) => fs.readFileSync(path.join(unpacked, given.name, name), 'utf8')

  describe('[S20] a release', () => {
    test('is said whole by its manifest and its checksums, and signed by one key', () => {
      const manifest = JSON.parse(fs.readFileSync(file('manifest.json'), 'utf8')) as Record<string, unknown>
      expect(manifest).toEqual({
        name: 'pulse',
        version: given.version,
        channel: 'stable',
        build: given.build,
        files: [
          { name: `${given.name}.tar.gz`, platform, bytes: expect.any(Number), sha256: expect.any(String) },
        ],
      })
      const checked = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
        cwd: given.folder,
        encoding: 'utf8',
      })
      expect(checked.stdout.trim().split('\n').toSorted()).toEqual(
        [
          `${given.name}.tar.gz`,
          'install.sh',
          'proxmox-lxc.sh',
          'manifest.json',
          `pulse-v${given.version}.cdx.json`,
        ]
          .map((name) => `${name}: OK`)
          .toSorted(),
      )
      for (const name of ['manifest.json', 'SHA256SUMS']) {
        const signature = fs.readFileSync(file(`${name}.sig`))
        expect(signature).toHaveLength(64)
        expect(verify(null, fs.readFileSync(file(name)), given.publicKey, signature), name).toBe(true)
      }
      expect(inside('release-key.pem')).toBe(given.publicKey)
    })

    test('holds what runs, below one folder, and nothing of tests, maps or this machine', () => {
      expect(names.filter((name) => !name.startsWith(`${given.name}/`))).toEqual([])
      const files = names.map((name) => name.slice(given.name.length + 1))
      for (const name of [
        'bin/pulse',
        'server/dist/main.js',
        'server/dist/db-worker.cjs',
        'server/dist/history-worker.cjs',
        'server/dist/health.cjs',
        'web/index.html',
        'systemd/pulse.service',
        'install.sh',
        'sbom.cdx.json',
        'LICENSE',
        'LICENCES-OF-OTHERS',
      ])
        expect(files).toContain(name)
      expect(files.filter((name) => /\.(map|ts)$|(?<!back-)test|testkit|\.built/.test(name))).toEqual([])
      expect(JSON.parse(inside('release.json'))).toEqual({
        name: 'pulse',
        version: given.version,
        platform,
        build: given.build,
        node: process.versions.node,
      })
      for (const name of ['bin/pulse', 'server/dist/main.js', 'web/index.html', 'sbom.cdx.json'])
        expect(inside(name).includes(root), name).toBe(false)
    })

    test('lists every package whose code is in it', () => {
      const bill = JSON.parse(fs.readFileSync(file(`pulse-v${given.version}.cdx.json`), 'utf8')) as Bill
      expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
      const listed = new Set(bill.components.map(({ name }) => name))
      const bundled = packagesIn(path.join(root, 'apps/server/dist'))
      expect(bundled.size).toBeGreaterThan(20)
      expect([...bundled].filter((name) => !listed.has(name))).toEqual([])
      expect(listed).toContain('react-dom')
      expect(bill.components[0]).toMatchObject({ name: 'node', version: process.versions.node })
      const refs = new Set(bill.components.map((one) => one['bom-ref']))
      const [, ...dependencies] = bill.dependencies
      for (const { ref, dependsOn = [] } of dependencies)
        for (const one of [ref, ...dependsOn]) expect(refs.has(one), one).toBe(true)
      for (const { name, hashes } of bill.components.slice(1))
        expect(hashes?.[0]?.content, name).toMatch(/^[0-9a-f]{128}$/)
    })
  })
}

/** From the source maps, which name every source in a bundle. */
function packagesIn(dist: string): Set<string> {
  const found = new Set<string>()
  for (const name of fs.readdirSync(dist).filter((one) => one.endsWith('.map'))) {
    const { sources } = JSON.parse(fs.readFileSync(path.join(dist, name), 'utf8')) as { sources: string[] }
    for (const source of sources) {
      const [, own] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? []
      if (own) found.add(own)
    }
  }
  return found
}
