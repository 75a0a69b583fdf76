import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** What agents that run believe of those they are offered: the list of the agents in a folder, to be signed. */
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
