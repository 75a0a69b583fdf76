import { createHash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Behaviour, createBehaviours, type Behaviours } from '../sinks/behaviour.ts'
import { closeServer } from '../loopback.ts'

/**
 * A defect of a served release:
 * - `archive`, `manifest`, `signature`: one bit of the file is flipped
 * - `unsigned`: the signature is missing
 * - `cut`: the archive ends in the middle; `still`: the transfer stalls there
 */
export type Tampering = 'archive' | 'manifest' | 'signature' | 'unsigned' | 'cut' | 'still'

export interface Publishing {
  /** with a leading v; default: the manifest's version */
  tag?: string
  draft?: boolean
  prerelease?: boolean
  notes?: string
  /** epoch ms */
  publishedAt?: number
  tampered?: Tampering
}

export interface ReleaseFeed {
  /** URL of the list */
  url: string
  /** Adds a folder made by the release command; it appears before earlier releases. */
  publish(folder: string, how?: Publishing): void
  /** Removes all releases. */
  clear(): void
  /** requested paths, oldest first */
  asked(): readonly string[]
  /** requests of clients that already had the list */
  unchanged(): number
  behave: Behaviours['behave']
  close(): Promise<void>
}

interface Published extends Required<Omit<Publishing, 'tampered'>> {
  folder: string
  tampered: Tampering | undefined
}

/** A list of releases as GitHub answers it, with the files of each, on 127.0.0.1. */
export async function startReleaseFeed(port = 0): Promise<ReleaseFeed> {
  let published: Published[] = []
  let asked: string[] = []
  let unchanged = 0
  const behaviours = createBehaviours()
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', origin)
    asked.push(pathname)
    const behaviour = behaviours.of(pathname)
    if (behaviour.kind !== 'take') return misbehave(response, behaviour)
    if (pathname === '/repos/pulse/pulse/releases') return list(request, response)
    const [, tag, name] = /^\/download\/([^/]+)\/([^/]+)$/.exec(pathname) ?? []
    const release = published.find((one) => one.tag === tag)
    if (!release || !name || !filesOf(release).includes(name)) return void response.writeHead(404).end()
    await file(response, release, name)
  }

  function list(request: IncomingMessage, response: ServerResponse): void {
    const body = JSON.stringify(published.map((release) => listed(release, origin)))
    const etag = `"${createHash('sha256').update(body).digest('hex')}"`
    if (request.headers['if-none-match'] === etag) {
      unchanged++
      return void response.writeHead(304, { etag }).end()
    }
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', etag }).end(body)
  }

  return {
    url: `${origin}/repos/pulse/pulse/releases`,
    publish(folder, how = {}) {
      const { version, channel } = JSON.parse(
        fs.readFileSync(path.join(folder, 'manifest.json'), 'utf8'),
      ) as {
        version: string
        channel: string
      }
      const usual = {
        tag: `v${version}`,
        draft: false,
        prerelease: channel === 'rc',
        notes: `Notes of ${version}`,
      }
      const { tampered, ...given } = how
      published = [{ ...usual, publishedAt: Date.UTC(2026, 5, 1), ...given, folder, tampered }, ...published]
    },
    clear() {
      published = []
      asked = []
      unchanged = 0
    },
    asked: () => asked,
    unchanged: () => unchanged,
    behave: behaviours.behave,
    close: () => closeServer(server),
  }
}

const filesOf = ({ folder, tampered }: Published): string[] =>
  fs.readdirSync(folder).filter((name) => tampered !== 'unsigned' || !name.endsWith('.sig'))

function listed(release: Published, origin: string) {
  const { tag, draft, prerelease, notes, publishedAt, folder } = release
  return {
    tag_name: tag,
    name: `Pulse ${tag}`,
    draft,
    prerelease,
    body: notes,
    published_at: new Date(publishedAt).toISOString(),
    html_url: `${origin}/tag/${tag}`,
    assets: filesOf(release).map((name) => ({
      name,
      size: fs.statSync(path.join(folder, name)).size,
      browser_download_url: `${origin}/download/${tag}/${name}`,
    })),
  }
}

const kindOf = (name: string): Tampering | undefined =>
  name.endsWith('.tar.gz')
    ? 'archive'
    : name === 'manifest.json'
      ? 'manifest'
      : name === 'manifest.json.sig'
        ? 'signature'
        : undefined

async function file(response: ServerResponse, { folder, tampered }: Published, name: string): Promise<void> {
  const filePath = path.join(folder, name)
  const { size } = fs.statSync(filePath)
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size })
  if (kindOf(name) === 'archive' && (tampered === 'cut' || tampered === 'still')) {
    response.write(fs.readFileSync(filePath).subarray(0, size >> 1))
    // the written data has been sent by then
    if (tampered === 'cut') setImmediate(() => response.socket?.resetAndDestroy())
    return
  }
  const isOther = tampered !== undefined && tampered === kindOf(name)
  await pipeline(
    fs.createReadStream(filePath),
    async function* (source: AsyncIterable<Buffer>) {
      let at = 0
      for await (const chunk of source) {
        const middle = (size >> 1) - at
        if (isOther && middle >= 0 && middle < chunk.length) chunk[middle]! ^= 1
        at += chunk.length
        yield chunk
      }
    },
    response,
  )
}

function misbehave(response: ServerResponse, behaviour: Behaviour): void {
  switch (behaviour.kind) {
    case 'status': {
      const { status, retryAfter, body = '' } = behaviour
      return void response
        .writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
        .end(body)
    }
    case 'redirect':
      return void response.writeHead(behaviour.status, { location: behaviour.location }).end()
    case 'reset':
      return void response.socket?.resetAndDestroy()
    default:
      // accepts the request and never answers
      return undefined
  }
}
