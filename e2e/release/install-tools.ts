import type { Machine } from '@pulse/testkit/machine'
import path from 'node:path'
import type { ReleaseFixture } from './fixtures.ts'

/** Commands on the machine, with the release in a folder there. */
export function installTools(given: ReleaseFixture, on: Machine) {
  const pathOf = (name: string) => path.join(on.folder, 'release', name)
  return {
    pathOf,
    archive: () => pathOf(`${given.name}.tar.gz`),
    install: (...words: string[]) => on.sh(`sh ${pathOf('install.sh')} ${words.join(' ')}`),
    listed: async (folder: string) =>
      (await on.sh(`ls -A ${folder} 2>/dev/null`)).stdout.split('\n').filter(Boolean),
    /** an answer of the installed server */
    asked: async (where: string) =>
      JSON.parse((await on.sh(`curl -s http://127.0.0.1:7655${where}`)).stdout) as Record<string, unknown>,
  }
}
