import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { startNode } from './child.mjs'
import { root } from './pinned-node.mjs'

/** Starts the simulated estate in a separate process; resolves to its description. */
export function startLab(args) {
  const child = startNode([path.join(root, 'apps/lab/src/main.ts'), '--json', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return firstLine(child).then((line) => ({ child, lab: JSON.parse(line) }))
}

/**
 * Starts the built product of a checkout with that checkout's flags; resolves to its address once it answers.
 * `output` receives its console output: an open file, or `inherit`.
 */
export async function startServer(env, checkout = root, output = 'inherit') {
  const { startProduct } = await import(pathToFileURL(path.join(checkout, 'scripts/product.mjs')).href)
  const child = startProduct(
    { PULSE_LISTEN_ADDRESS: '127.0.0.1', ...env },
    { stdio: ['ignore', output, output, 'ipc'] },
  )
  return new Promise((resolve, reject) => {
    child.once('message', ({ ready }) => resolve({ child, url: ready }))
    child.once('exit', (code) => reject(new Error(`the server ended with code ${code}`)))
    child.once('error', reject)
  })
}

/** Retries of a rate-limited call: many hosts at once exceed the server's limit. */
const maxRetries = 20

/** An API token for this run. It has 48 hex digits, because 64 in API_TOKENS would be read as a hash. */
export const newToken = () => randomBytes(24).toString('hex')

/** Options that are off by default; a demonstration shows everything. */
export const everySwitch = { pve: { monitorPhysicalDisks: true }, pbs: {}, pmg: { monitorDomainStats: true } }

/** Connects the server to everything in the lab. Replaces connections with the same name. */
export async function connectEstate(url, lab, token, switches = { pve: {}, pbs: {}, pmg: {} }) {
  const nodes = await call(url, token, 'GET', '/api/config/nodes')
  for (const connection of connectionsOf(lab)) {
    const body = { ...connection, ...switches[connection.type] }
    const known = nodes.find(({ type, name }) => type === body.type && name === body.name)
    if (known) await call(url, token, 'PUT', `/api/config/nodes/${known.id}`, body)
    else await call(url, token, 'POST', '/api/config/nodes', body)
  }
}

/** Activates alerts, which a demonstration shows. */
export const activateAlerts = (url, token) => call(url, token, 'POST', '/api/alerts/activate')

/** Makes the lab's container hosts report, each with its own new token. */
export async function connectAgents(url, lab, token) {
  if (lab.docker.length === 0) return
  const { dockerHosts } = await call(url, token, 'GET', '/api/state')
  const { version } = await call(url, token, 'GET', '/api/version')
  const tokens = {}
  for (const { name, agentId } of lab.docker) {
    const known = dockerHosts.find((host) => host.agentId === agentId)
    const made = known
      ? await call(url, token, 'POST', '/api/diagnostics/docker/prepare-token', { hostId: known.id })
      : await call(url, token, 'POST', '/api/security/tokens', tokenFor(name))
    tokens[name] = made.token
  }
  await steer(lab.controlUrl, '/docker', { url, tokens, version })
}

const tokenFor = (name) => ({ name: `Docker host: ${name}`, scopes: ['docker:report'], oneHost: true })

async function steer(controlUrl, where, body) {
  const headers = { 'X-Lab-Control': '1' }
  const response = await fetch(controlUrl + where, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`the lab: ${(await response.json()).error}`)
}

function connectionsOf({ clusters, credentials, pbs, pmg }) {
  const tokenOf = ({ tokenId, tokenSecret }) => ({ tokenName: tokenId, tokenValue: tokenSecret })
  const hostOf = ({ url, fingerprint }) => ({ host: url, fingerprint })
  return [
    ...clusters.map(({ name, nodes: [first] }) => ({
      type: 'pve',
      name,
      ...hostOf(first),
      ...tokenOf(credentials),
    })),
    ...pbs.map((host) => ({ type: 'pbs', name: host.name, ...hostOf(host), ...tokenOf(host.credentials) })),
    ...pmg.map((host) => {
      const { user, password } = host.credentials.auditor
      return { type: 'pmg', name: host.name, ...hostOf(host), user, password }
    }),
  ]
}

async function call(url, token, method, where, body) {
  for (let left = maxRetries; ; left--) {
    const response = await fetch(url + where, {
      method,
      headers: { 'X-API-Token': token, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const answer = await response.json()
    if (response.ok) return answer
    if (response.status !== 429 || left === 0) throw new Error(`${method} ${where}: ${answer.error}`)
    await setTimeout(1000 * Number(response.headers.get('retry-after') ?? 2))
  }
}

function firstLine(child) {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      const end = text.indexOf('\n')
      if (end >= 0) resolve(text.slice(0, end))
    })
    child.once('exit', (code) => reject(new Error(`the lab ended with code ${code}`)))
    child.once('error', reject)
  })
}
