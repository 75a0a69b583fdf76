import { type Json, look, type Problems } from './look.ts'

/** sendMessage: https://core.telegram.org/bots/api#sendmessage */
export function telegramProblems(body: Json, url: URL): Problems {
  const at = look()
  if (!/^\/bot\d+:[\w-]{10,}\/sendMessage$/.test(url.pathname)) at.problems.push('Not Found')
  if (url.search !== '') at.problems.push(`parameters stand in the address too: ${url.search}`)
  const chat = body['chat_id']
  if (!(Number.isSafeInteger(chat) || /^-?\d+$/.test(String(chat))))
    at.problems.push('chat_id must be a whole number')
  at.text(body['text'], 'text', 4096)
  at.oneOf(body['parse_mode'], 'parse_mode', [undefined, 'Markdown'])
  at.oneOf(body['disable_web_page_preview'], 'disable_web_page_preview', [true, false])
  const open = body['parse_mode'] === undefined ? undefined : openEntity(String(body['text']))
  if (open) at.problems.push(`can't parse entities: can't find end of the entity ${open}`)
  return at.problems
}

/** The first unterminated entity of legacy Markdown; a backslash escapes the character after it. */
export function openEntity(text: string): string | undefined {
  let open: string | undefined
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '\\' && open === undefined && '_*`['.includes(text[at + 1] ?? 'x')) at++
    else if (open === undefined && '_*`['.includes(character)) open = character === '[' ? ']' : character
    else if (character === open) {
      if (open === ']' && text[at + 1] === '(') {
        const end = text.indexOf(')', at)
        if (end < 0) return '('
        at = end
      }
      open = undefined
    }
  }
  return open
}
