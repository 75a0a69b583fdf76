import type { Adapter, AdapterPayload, JWK, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { reportFailure } from '../report.ts'
import { loginPage, logoutPage, notePage } from './page.ts'
import { closeServer } from '../loopback.ts'

export interface OidcUser {
  sub: string
  preferred_username: string
  password: string
  name?: string
  email?: string
  email_verified?: boolean
  groups?: readonly string[]
}

export interface OidcProviderOptions {
  clientId: string
  /** without one the client is public */
  clientSecret?: string
  redirectUris: readonly string[]
  postLogoutRedirectUris?: readonly string[]
  users: readonly OidcUser[]
  /** signature algorithm of ID tokens; some providers default to HS256 */
  idTokenAlg?: 'RS256' | 'PS256' | 'ES256' | 'HS256'
  /** puts all claims into the ID token, as many providers do; otherwise the user info endpoint returns them */
  claimsInIdToken?: boolean
  /** any free port by default */
  port?: number
}

export interface OidcProvider {
  issuer: string
  close(): Promise<void>
}

const scopes = ['openid', 'profile', 'email', 'groups']

/** A certified OpenID provider on 127.0.0.1: it requires PKCE and skips consent. */
export async function startOidcProvider(options: OidcProviderOptions): Promise<OidcProvider> {
  const server = createServer()
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = await createProvider(issuer, options)
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
    interact(provider, options.users, request, response).catch((error: unknown) => {
      reportFailure(`${request.method} ${request.url}`, error)
      response.destroy()
    })
  })
  return {
    issuer,
    close: () => closeServer(server),
  }
}

async function createProvider(issuer: string, options: OidcProviderOptions): Promise<Provider> {
  const { Provider } = await import('oidc-provider') // large, and most users of the lab do not need it
  const { clientId, clientSecret, redirectUris, postLogoutRedirectUris, users, idTokenAlg } = options
  return new Provider(issuer, {
    adapter: memoryAdapters(),
    jwks: { keys: [newKey('rsa'), newKey('ec')] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    clients: [
      {
        client_id: clientId,
        ...(clientSecret ? { client_secret: clientSecret } : { token_endpoint_auth_method: 'none' as const }),
        redirect_uris: [...redirectUris],
        post_logout_redirect_uris: [...(postLogoutRedirectUris ?? [])],
        id_token_signed_response_alg: idTokenAlg ?? 'RS256',
      },
    ],
    pkce: { required: () => true },
    scopes,
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    conformIdTokenClaims: !options.claimsInIdToken,
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'PS256', 'ES256', 'HS256'] },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 3600,
      IdToken: 600,
      Interaction: 600,
      Session: 3600,
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => void (context.body = logoutPage(form)),
        postLogoutSuccessSource: (context) =>
          void (context.body = notePage('Lab sign-out', 'You are signed out.')),
      },
    },
    renderError: (context, { error }) => void (context.body = notePage('Lab sign-in', error)),
    findAccount(_context, id) {
      const user = users.find(({ sub }) => sub === id)
      if (!user) return undefined
      const { password: _password, groups = [], ...claims } = user
      return { accountId: id, claims: () => ({ ...claims, groups: [...groups] }) }
    },
    loadExistingGrant: grantEverything,
  })
}

async function grantEverything({ oidc }: KoaContextWithOIDC) {
  const { provider, session, client } = oidc
  const grantId = client && session?.grantIdFor(client.clientId)
  if (grantId) return provider.Grant.find(grantId)
  if (!client || !session?.accountId) return undefined
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope(scopes.join(' '))
  await grant.save()
  return grant
}

/** The login form and its submission. */
async function interact(
  provider: Provider,
  users: readonly OidcUser[],
  request: IncomingMessage,
  response: ServerResponse,
) {
  const action = request.url!
  if (request.method !== 'POST') return show(response, 200, loginPage(action))
  const form = new URLSearchParams(await readBody(request))
  if (form.get('answer') === 'cancel') {
    const refusal = { error: 'access_denied', error_description: 'The user cancelled' }
    return provider.interactionFinished(request, response, refusal)
  }
  const user = users.find(
    ({ preferred_username, password }) =>
      preferred_username === form.get('username') && password === form.get('password'),
  )
  if (!user) return show(response, 401, loginPage(action, 'Wrong username or password'))
  return provider.interactionFinished(request, response, { login: { accountId: user.sub } })
}

function show(response: ServerResponse, status: number, html: string) {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  response.end(html)
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > 10_000) throw new Error('the form is too large')
  }
  return text
}

function newKey(type: 'rsa' | 'ec'): JWK {
  const { privateKey } =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), kid: type, use: 'sig' } as JWK
}

/** In-memory storage of the provider. */
function memoryAdapters(): (model: string) => Adapter {
  const entries = new Map<string, AdapterPayload>()
  return (model) => {
    const find = (matches: (entry: AdapterPayload) => boolean) =>
      Promise.resolve([...entries].find(([key, entry]) => key.startsWith(`${model}:`) && matches(entry))?.[1])
    return {
      async upsert(id, payload) {
        entries.set(`${model}:${id}`, payload)
      },
      find: (id) => Promise.resolve(entries.get(`${model}:${id}`)),
      findByUid: (uid) => find((entry) => entry.uid === uid),
      findByUserCode: (userCode) => find((entry) => entry.userCode === userCode),
      async consume(id) {
        const entry = entries.get(`${model}:${id}`)
        if (entry) entry.consumed = Math.floor(Date.now() / 1000)
      },
      async destroy(id) {
        entries.delete(`${model}:${id}`)
      },
      async revokeByGrantId(grantId) {
        for (const [key, entry] of entries) if (entry.grantId === grantId) entries.delete(key)
      },
    }
  }
}
