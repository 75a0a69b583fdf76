import type { Engine } from '@pulse/testkit/engine'
import path from 'node:path'
import { root } from '../../scripts/pinned-node.mjs'
import { composeService } from './compose.ts'

interface Given {
  /** further arguments of `docker build` */
  build: readonly string[]
  /** content of the .env file next to the compose file */
  variables: Record<string, string>
  /** replaces a word of the command or of the compose file by its value on this machine */
  word: (word: string) => string
  /** further arguments of `docker run` */
  run?: readonly string[]
}

/** Runs a `docker` command from a document on this engine; paths of the repository are relative to its root. */
export async function typeDocker({ cli }: Engine, line: string, given: Given): Promise<string> {
  const [docker, ...words] = line.split(/\s+/)
  if (docker !== 'docker') throw new Error(`"${line}" is no command of docker`)
  const here = words.map((word) => given.word(word)).map(fromRoot)
  if (here[0] === 'build') return cli('build', ...given.build, ...here.slice(1))
  if (here[0] === 'compose' && here[1] === '-f') return compose(cli, here.slice(2), given)
  if (here[0] === 'logs') return cli(...here)
  throw new Error(`"${line}" is not understood here`)
}

const fromRoot = (word: string): string => (/^(deploy\/|\.$)/.test(word) ? path.join(root, word) : word)

/** Replaces Docker Compose. */
function compose(cli: Engine['cli'], [file, action, ...words]: string[], given: Given): Promise<string> {
  const name = path.basename(path.dirname(file!)) === 'docker' ? 'pulse' : 'pulse-docker-agent'
  if (action === 'up' && words.join() === '-d') {
    const service = composeService(file!, name, given.variables).map(given.word)
    return cli('run', '-d', '--name', name, ...(given.run ?? []), ...service)
  }
  if (action === 'exec') return cli('exec', ...words)
  throw new Error(`docker compose ${action} ${words.join(' ')} is not understood here`)
}
