import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The list of the agents in a folder. Running agents trust the signed list. */
export function agentList(folder) {
  const prefix = 'pulse-docker-agent-linux-'
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix))
  const files = names.toSorted().map((name) => {
    const bytes = readFileSync(path.join(folder, name))
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return { name, platform: name.slice('pulse-docker-agent-'.length), bytes: bytes.length, sha256 }
  })
  const version = readFileSync(path.join(folder, 'VERSION'), 'utf8').trim()
  return `${JSON.stringify({ name: 'pulse-docker-agent', version, files })}\n`
}

/** The publisher has the key; it is not in the repository. */
export function readKey(file) {
  const key = createPrivateKey(readFileSync(file))
  if (key.asymmetricKeyType === 'ed25519') return key
  throw new Error(`${file} holds a key of another kind; make one with: openssl genpkey -algorithm ed25519`)
}

export const publicKeyOf = (key) => String(createPublicKey(key).export({ type: 'spki', format: 'pem' }))
