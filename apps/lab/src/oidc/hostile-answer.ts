import type { ServerResponse } from 'node:http'
import type { Json } from './tokens.ts'

/** A replacement for the proper JSON. */
export interface RawAnswer {
  status?: number
  headers?: Record<string, string>
  body?: string
  /** `silent` sends nothing, `dribble` few bytes, `endless` as much as the client reads, `reset` disconnects */
  manner?: 'silent' | 'dribble' | 'endless' | 'reset'
}

/** Marks an answer that must not be wrapped as JSON. */
export class Raw {
  readonly answer: RawAnswer

  constructor(answer: RawAnswer) {
    this.answer = answer
  }
}

export function send(response: ServerResponse, content: Json | Raw): void {
  const {
    status = 200,
    headers,
    body,
    manner,
  } = content instanceof Raw ? content.answer : { body: JSON.stringify(content) }
  if (manner === 'silent') return
  if (manner === 'reset') return void response.socket?.resetAndDestroy()
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  if (manner === 'dribble') return dribble(response)
  if (manner === 'endless') return flood(response)
  response.end(body ?? '')
}

function dribble(response: ServerResponse) {
  const timer = setInterval(() => response.write(' '), 20)
  response.once('close', () => clearInterval(timer))
}

function flood(response: ServerResponse) {
  const chunk = Buffer.alloc(64 * 1024, ' ')
  const fill = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', fill)
  fill()
}
