import type { Engine } from '@pulse/testkit/engine'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

export const base = 'tiny/glibc:1'
/** Commands that recipes and programs call from a shell. */
const commands = ['sh', 'cat', 'dirname', 'gzip', 'mkdir', 'readlink', 'rm', 'tar', 'touch']

/**
 * Builds the base image without a registry. PULSE_TEST_BASE names an archive of a complete system, such as an archive of
 * a debootstrap folder. Without it, the files that recipes need from a base come from this machine.
 */
export async function importBase({ cli, folder }: Engine): Promise<void> {
  const given = process.env['PULSE_TEST_BASE']
  if (given) return void (await cli('import', given, base))
  const tree = `${folder}/base`
  const linked = String(execFileSync('ldd', [process.execPath])).matchAll(/(\/lib\S+) \(/g)
  for (const file of [
    '/bin/busybox',
    '/etc/ssl/certs/ca-certificates.crt',
    ...[...linked].map(([, at]) => at!),
  ]) {
    fs.mkdirSync(path.dirname(tree + file), { recursive: true })
    fs.copyFileSync(file, tree + file)
  }
  fs.mkdirSync(`${tree}/tmp`)
  for (const name of commands) fs.symlinkSync('busybox', `${tree}/bin/${name}`)
  execFileSync('tar', ['-C', tree, '-cf', `${folder}/base.tar`, '.'])
  await cli('import', `${folder}/base.tar`, base)
}
