import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { createGunzip } from 'node:zlib'
import { AppError, tooManyRequests } from '../app-error.ts'

/** Limit for all compressed bodies in progress, in uncompressed bytes. */
const roomBytes = 64 * 1024 * 1024
/**
 * Largest share of one sender. Otherwise a few small bodies that expand a lot, and never end, would exclude
 * all other senders.
 */
const shareOfOne = 1 / 4
/**
 * Twice the values of a report with a thousand complete containers. Each value needs many times its length in
 * memory.
 */
const mostValues = 250_000
const mostDepth = 32

export interface PackedLimits {
  /** compressed bytes */
  bodyLimit: number
  /** uncompressed bytes */
  inflatedLimit: number
}

export interface PackedEdges {
  senderOf: (request: FastifyRequest) => string | undefined
  /** Called with the received or uncompressed bytes of a body, even a refused one; throws above the limit. */
  unpacked: (request: FastifyRequest, bytes: number) => void
}

/** Accepts JSON bodies with `Content-Encoding: gzip` in this scope, and announces it in the answers. */
export function takePackedBodies(
  scope: FastifyInstance,
  limits: PackedLimits,
  { senderOf, unpacked }: PackedEdges,
  atOnceBytes = roomBytes,
): void {
  const parseJson = scope.getDefaultJsonParser('remove', 'remove')
  const limit = createByteLimit(atOnceBytes)
  scope.addHook('onRequest', async (_request, reply) => void reply.header('accept-encoding', 'gzip'))
  scope.removeContentTypeParser('application/json')
  scope.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const reservation = limit(senderOf(request))
    const bytes = await receive(request.raw, limits, reservation, (size) => unpacked(request, size))
    if (bytes.length === 0) return undefined
    if (isIntricate(bytes)) throw new AppError('payload_too_large', 'The body holds too many values.')
    return new Promise((resolve, reject) => {
      void parseJson(request, bytes.toString('utf8'), (error, value) =>
        error ? reject(error) : resolve(value),
      )
    })
  })
}

/** The share of one body in the limit. */
interface Reservation {
  /** False when the limit is exceeded. */
  take(bytes: number): boolean
  refund(bytes: number): void
}

function createByteLimit(atOnceBytes: number): (sender: string | undefined) => Reservation {
  const taken = new Map<string, number>()
  let left = atOnceBytes
  return (sender) => {
    function change(bytes: number): number {
      left -= bytes
      if (sender === undefined) return 0
      const own = (taken.get(sender) ?? 0) + bytes
      if (own > 0) taken.set(sender, own)
      else taken.delete(sender)
      return own
    }
    return {
      take: (bytes) => change(bytes) <= atOnceBytes * shareOfOne && left >= 0,
      refund: (bytes) => void change(-bytes),
    }
  }
}

/** Receives and unpacks a whole body. Never holds more than the limits allow. */
function receive(
  raw: IncomingMessage,
  limits: PackedLimits,
  reservation: Reservation,
  unpacked: (bytes: number) => void,
): Promise<Buffer> {
  const encoding = (raw.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (!['identity', 'gzip', 'x-gzip'].includes(encoding))
    throw new AppError('unsupported_media_type', 'Send the body unencoded, or with Content-Encoding: gzip.')
  if (Number(raw.headers['content-length']) > limits.bodyLimit) throw tooLarge()
  if (raw.destroyed && !raw.complete) throw cutOff()
  return new Promise((resolve, reject) => {
    const gunzip = encoding === 'identity' ? undefined : createGunzip()
    const pieces: Buffer[] = []
    let received = 0
    let size = 0
    let isOver = false

    function finish(error?: Error) {
      if (isOver) return
      isOver = true
      raw.off('data', onData)
      reservation.refund(size)
      gunzip?.destroy()
      try {
        unpacked(size)
      } catch (tooMuch) {
        error ??= tooMuch as Error
      }
      if (error) reject(error)
      else resolve(Buffer.concat(pieces, size))
    }

    function keep(piece: Buffer) {
      if (isOver) return
      size += piece.length
      pieces.push(piece)
      const hasRoom = reservation.take(piece.length)
      if (size > limits.inflatedLimit) finish(tooLarge())
      else if (!hasRoom) finish(tooManyRequests(5_000))
    }

    function onData(piece: Buffer) {
      received += piece.length
      if (received > limits.bodyLimit) finish(tooLarge())
      else if (gunzip) gunzip.write(piece)
      else keep(piece)
    }

    gunzip?.on('data', keep)
    gunzip?.on('end', () => finish())
    gunzip?.on('error', () =>
      finish(
        new AppError('invalid_json', 'The body is not valid gzip, although Content-Encoding says gzip.'),
      ),
    )
    raw.on('data', onData)
    raw.once('end', () => (gunzip ? gunzip.end() : finish()))
    raw.once('error', () => finish(cutOff()))
    raw.once('close', () => {
      if (!raw.complete) finish(cutOff())
    })
  })
}

const tooLarge = () => new AppError('payload_too_large', 'The request is too large.')
const cutOff = () => new AppError('bad_request', 'The request ended before its body was complete.')

/**
 * Counts the structural characters of the JSON text, because a small text may become hundreds of megabytes of
 * objects.
 */
export function isIntricate(json: Uint8Array): boolean {
  let values = 1
  let depth = 0
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (isText) {
      if (byte === backslash) at++
      else if (byte === quote) isText = false
    } else if (byte === quote) isText = true
    else if (byte === comma) values++
    else if (byte === openList || byte === openObject) {
      values++
      if (++depth > mostDepth) return true
    } else if (byte === closeList || byte === closeObject) depth--
    if (values > mostValues) return true
  }
  return false
}

const [quote, comma, openList, backslash, closeList, openObject, closeObject] = [...Buffer.from('",[\\]{}')]
