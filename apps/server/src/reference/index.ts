import { getApiReference, type VersionInfo } from '@pulse/contract'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { Area } from '../area.ts'
import { acceptsGzip, RawReply, route } from '../http/route.ts'
import type { OpenApi } from './document.ts'

const gzip = promisify(zlib.gzip)

export interface ReferenceEdges {
  /** public URL of this installation; undefined: each request's own address is used */
  publicUrl: string | undefined
  version: VersionInfo
}

/** The API description for client generators. Each request reads it; nothing is cached. */
export function referenceArea({ publicUrl, version }: ReferenceEdges): Area {
  const get = route(getApiReference, async ({ caller }) => {
    const document = JSON.parse(await readReference()) as OpenApi
    document.info.version = version.version
    if (publicUrl !== undefined) document.servers = [{ url: publicUrl }]
    const text = Buffer.from(JSON.stringify(document))
    if (!acceptsGzip(caller)) return new RawReply(text)
    return new RawReply(await gzip(text), { 'content-encoding': 'gzip', vary: 'accept-encoding' })
  })
  return { name: 'the reference of the API', routes: [get] }
}

/** The build writes the file next to the bundle. A server that runs from sources generates it once. */
const readReference = (): Promise<string> =>
  import.meta.url.endsWith('.ts')
    ? (made ??= make())
    : fs.promises.readFile(new URL('openapi.json', import.meta.url), 'utf8')

let made: Promise<string> | undefined

async function make(): Promise<string> {
  const program = fileURLToPath(new URL('write.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program], { maxBuffer: 2 ** 25 })
  return stdout
}
