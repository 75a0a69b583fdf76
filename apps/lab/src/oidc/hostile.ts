import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { reportFailure } from '../report.ts'
import { Raw, send } from './hostile-answer.ts'
import { type Json, type KeyName, makeKeys, makeToken, publicKey } from './tokens.ts'
import { closeServer } from '../loopback.ts'

/** The misbehaviour of the provider. Everything else is correct. */
export interface Bends {
  discovery?: (document: Json) => Json | Raw
  /** changes the parameters of the callback */
  authorization?: (answer: URLSearchParams) => void
  header?: (header: Json) => Json
  claims?: (claims: Json) => Json
  /** the key that signs the ID token, whatever its header claims */
  key?: KeyName
  /** the shared secret of HS algorithms; the client's by default */
  secret?: string
  idToken?: (token: string) => unknown
  token?: (answer: Json) => Json | Raw
  keys?: (answer: Json) => Json | Raw
  userInfo?: (claims: Json) => Json | Raw
}

export interface HostileProvider {
  issuer: string
  /** Replaces all earlier bends. */
  bend(bends: Bends): void
  /** the public key `rsa` as published */
  publicKey: Json
  /** method, path and body of the calls since the last bend */
  calls(): readonly { call: string; authorization: string | undefined; body: string }[]
  close(): Promise<void>
}

export interface HostileProviderOptions {
  clientId: string
  /** without one the client is public */
  clientSecret?: string
  /** claims of the user, who is always signed in */
  claims: Json
}

interface Granted {
  nonce: string | null
  challenge: string | null
  redirectUri: string | null
}

/** An OpenID provider on 127.0.0.1 with changeable answers. Its authorisation page needs no input. */
export async function startHostileProvider(options: HostileProviderOptions): Promise<HostileProvider> {
  const keys = makeKeys()
  const codes = new Map<string, Granted>()
  let bends: Bends = {}
  let calls: { call: string; authorization: string | undefined; body: string }[] = []

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      reportFailure(`${request.method} ${request.url}`, error)
      response.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url!, issuer)
    const body = await readBody(request)
    const { authorization } = request.headers
    calls.push({ call: `${request.method} ${url.pathname}`, authorization, body })
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return send(response, bent(bends.discovery, discovery()))
      case '/authorize':
        return authorize(url.searchParams, response)
      case '/token':
        return send(response, token(new URLSearchParams(body), authorization))
      case '/keys':
        return send(response, bent(bends.keys, { keys: published() }))
      case '/userinfo':
        return send(response, bent(bends.userInfo, options.claims))
      default:
        return send(response, new Raw({ status: 404 }))
    }
  }

  const discovery = (): Json => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    userinfo_endpoint: `${issuer}/userinfo`,
    end_session_endpoint: `${issuer}/end-session`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'PS256', 'ES256'],
    authorization_response_iss_parameter_supported: true,
  })

  const published = () => (['rsa', 'ec', 'ed'] as const).map((name) => publicKey(keys[name], name))

  function authorize(asked: URLSearchParams, response: ServerResponse) {
    const code = randomBytes(16).toString('hex')
    const redirectUri = asked.get('redirect_uri')
    codes.set(code, { nonce: asked.get('nonce'), challenge: asked.get('code_challenge'), redirectUri })
    const back = new URL(redirectUri!)
    back.search = new URLSearchParams({ code, state: asked.get('state') ?? '', iss: issuer }).toString()
    bends.authorization?.(back.searchParams)
    send(response, new Raw({ status: 302, headers: { location: back.href } }))
  }

  function token(form: URLSearchParams, authorization: string | undefined): Json | Raw {
    const granted = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const refused = refusal(form, authorization, granted, options)
    if (refused) return new Raw({ status: 400, body: JSON.stringify({ error: refused }) })
    const idToken = makeIdToken(granted!.nonce)
    const answer = { access_token: randomBytes(16).toString('hex'), token_type: 'Bearer', expires_in: 600 }
    return bent(bends.token, { ...answer, id_token: bends.idToken ? bends.idToken(idToken) : idToken })
  }

  function makeIdToken(nonce: string | null): string {
    const now = Math.floor(Date.now() / 1000)
    const base = { iss: issuer, aud: options.clientId, iat: now, exp: now + 600, nonce, ...options.claims }
    const header = { alg: 'RS256', kid: 'rsa', typ: 'JWT' }
    return makeToken(
      bends.header?.(header) ?? header,
      bends.claims?.(base) ?? base,
      keys[bends.key ?? 'rsa'],
      bends.secret ?? options.clientSecret ?? 'no secret',
    )
  }

  return {
    issuer,
    bend(next) {
      bends = next
      calls = []
    },
    publicKey: publicKey(keys.rsa, 'rsa'),
    calls: () => calls,
    close: () => closeServer(server),
  }
}

const bent = (bend: ((proper: Json) => Json | Raw) | undefined, proper: Json): Json | Raw =>
  bend ? bend(proper) : proper

/** The checks of a correct provider before it exchanges a code for a token. */
function refusal(
  form: URLSearchParams,
  authorization: string | undefined,
  granted: Granted | undefined,
  { clientId, clientSecret }: HostileProviderOptions,
): string | undefined {
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const isClient = clientSecret
    ? authorization === basic || form.get('client_secret') === clientSecret
    : authorization === undefined && form.get('client_id') === clientId
  if (!isClient) return 'invalid_client'
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  if (!granted || challenge !== granted.challenge || form.get('redirect_uri') !== granted.redirectUri) {
    return 'invalid_grant'
  }
  return undefined
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
