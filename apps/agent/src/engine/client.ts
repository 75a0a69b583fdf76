import http from 'node:http'
import { addressText, type EngineAddress } from './address.ts'
import { fields, text } from './read.ts'

export type EngineProblem = 'unreachable' | 'forbidden' | 'timeout' | 'gone' | 'failed'

/** A request that the engine did not answer. */
export class EngineError extends Error {
  readonly problem: EngineProblem

  constructor(problem: EngineProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}

/**
 * Bound for all responses at the same moment, above that of any engine. An endless response is aborted here.
 */
const mostAtOnce = 64 * 1024 * 1024

/** Reads the engine. Sends only GET requests. */
export class EngineClient {
  #connections = new http.Agent({ keepAlive: true })

  readonly address: EngineAddress
  readonly #mostBytes: number
  /** bytes of all responses in progress */
  #openBytes = 0

  constructor(address: EngineAddress, mostBytes = mostAtOnce) {
    this.address = address
    this.#mostBytes = mostBytes
  }

  /** The JSON of the response; undefined when it is empty. */
  get(path: string, signal: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const fail = (cause: Error) => reject(this.#lost(path, signal, cause))
      const headers = { host: 'docker' }
      const options = { ...this.address, path, signal, headers, agent: this.#connections }
      const request = http.get(options, (response) => {
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('error', fail)
        response.on('close', () => (this.#openBytes -= bytes))
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          this.#openBytes += chunk.length
          if (this.#openBytes > this.#mostBytes) {
            response.destroy(new Error(`its answers are longer than ${this.#mostBytes} bytes`))
          } else chunks.push(chunk)
        })
        response.on('end', () => {
          const body = Buffer.concat(chunks).toString()
          resolve(answerOf(path, response.statusCode ?? 0, body))
        })
      })
      request.on('error', fail)
    })
  }

  /** Closes the connections of a cycle. Hanging requests have their own deadlines. */
  rest(): void {
    this.#connections.destroy()
    this.#connections = new http.Agent({ keepAlive: true })
  }

  #lost(path: string, signal: AbortSignal, cause: Error): EngineError {
    const at = addressText(this.address)
    const code = (cause as NodeJS.ErrnoException).code ?? ''
    if (signal.aborted) return new EngineError('timeout', `The engine did not answer ${path} in time.`)
    if (['EACCES', 'EPERM'].includes(code)) {
      return new EngineError(
        'forbidden',
        `This user may not use ${at}: run as root or add it to the socket's group.`,
      )
    }
    const isUnreachable = ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'].includes(code)
    if (isUnreachable) return new EngineError('unreachable', `No engine answers at ${at}.`, { cause })
    return new EngineError('failed', `The engine at ${at} closed the connection while answering ${path}.`, {
      cause,
    })
  }
}

async function answerOf(path: string, status: number, body: string): Promise<unknown> {
  if (status === 200) {
    if (body.trim() === '') return undefined
    try {
      return JSON.parse(body) as unknown
    } catch (cause) {
      throw new EngineError('failed', `The engine's answer to ${path} is not JSON.`, { cause })
    }
  }
  const problems: Record<number, EngineProblem> = { 401: 'forbidden', 403: 'forbidden', 404: 'gone' }
  const why = messageOf(body)
  throw new EngineError(problems[status] ?? 'failed', `The engine answered ${path} with ${status}${why}.`)
}

function messageOf(body: string): string {
  try {
    const message = text(fields(JSON.parse(body)).message)
    return message ? `: ${message.slice(0, 300)}` : ''
  } catch {
    return '' // a proxy in front of the engine answers in other formats
  }
}
