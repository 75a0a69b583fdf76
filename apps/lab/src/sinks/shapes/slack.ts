import { type Json, type Look, look, type Problems } from './look.ts'

/** An incoming webhook of Slack, and its blocks: https://api.slack.com/reference/block-kit/blocks */
export function slackProblems(body: Json): Problems {
  const at = look()
  if (body['text'] === undefined && body['blocks'] === undefined) at.problems.push('no_text')
  if (body['text'] !== undefined) at.text(body['text'], 'text', 40_000)
  for (const [index, block] of at.list(body['blocks'] ?? [], 'blocks', 50).entries()) {
    const name = `blocks[${index}]`
    const type = block['type']
    at.oneOf(type, `${name}.type`, ['header', 'section', 'context', 'divider', 'actions'])
    if (type === 'header') textObject(at, block['text'], `${name}.text`, 150, ['plain_text'])
    if (type === 'section') section(at, block, name)
    if (type === 'context') {
      for (const [elementIndex, element] of at.list(block['elements'], `${name}.elements`, 10, 1).entries()) {
        textObject(at, element, `${name}.elements[${elementIndex}]`, 2000)
      }
    }
  }
  return at.problems
}

function section(at: Look, block: Json, name: string) {
  if (block['text'] === undefined && block['fields'] === undefined)
    at.problems.push(`${name} has neither text nor fields`)
  if (block['text'] !== undefined) textObject(at, block['text'], `${name}.text`, 3000)
  if (block['fields'] === undefined) return
  for (const [index, field] of at.list(block['fields'], `${name}.fields`, 10, 1).entries()) {
    textObject(at, field, `${name}.fields[${index}]`, 2000)
  }
}

function textObject(at: Look, value: unknown, name: string, max: number, types = ['plain_text', 'mrkdwn']) {
  const { type, text } = at.object(value, name)
  at.oneOf(type, `${name}.type`, types)
  at.text(text, `${name}.text`, max)
  // unescaped characters could become a link or a mention of all users
  const plain = String(text).replace(/<https?:\/\/[^<>|\s]+(\|[^<>]*)?>/g, '')
  if (type === 'mrkdwn' && /[<>]|&(?!amp;|lt;|gt;)/.test(plain))
    at.problems.push(`${name}.text has unescaped < > or &`)
}
