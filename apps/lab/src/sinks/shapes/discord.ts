import { type Json, look, type Problems } from './look.ts'

/** A Discord webhook: https://discord.com/developers/docs/resources/webhook#execute-webhook */
export function discordProblems(body: Json): Problems {
  const at = look()
  if (body['username'] !== undefined) at.text(body['username'], 'username', 80)
  if (/discord|clyde/i.test(String(body['username'] ?? '')))
    at.problems.push('username must not name Discord')
  if (body['content'] !== undefined) at.text(body['content'], 'content', 2000)
  const embeds = at.list(body['embeds'] ?? [], 'embeds', 10)
  if (embeds.length === 0 && body['content'] === undefined)
    at.problems.push('there is neither content nor an embed')
  let characters = 0
  const counted = (value: unknown, name: string, max: number) => {
    at.text(value, name, max)
    characters += String(value).length
  }
  for (const [index, embed] of embeds.entries()) {
    const name = `embeds[${index}]`
    if (embed['title'] !== undefined) counted(embed['title'], `${name}.title`, 256)
    if (embed['description'] !== undefined) counted(embed['description'], `${name}.description`, 4096)
    if (embed['color'] !== undefined) at.integer(embed['color'], `${name}.color`, 0, 0xffffff)
    if (embed['timestamp'] !== undefined) at.time(embed['timestamp'], `${name}.timestamp`)
    if (embed['url'] !== undefined) at.link(embed['url'], `${name}.url`)
    if (embed['footer'] !== undefined) {
      counted(at.object(embed['footer'], `${name}.footer`)['text'], `${name}.footer.text`, 2048)
    }
    for (const [at2, field] of at.list(embed['fields'] ?? [], `${name}.fields`, 25).entries()) {
      counted(field['name'], `${name}.fields[${at2}].name`, 256)
      counted(field['value'], `${name}.fields[${at2}].value`, 1024)
      if (field['inline'] !== undefined)
        at.oneOf(field['inline'], `${name}.fields[${at2}].inline`, [true, false])
    }
  }
  if (characters > 6000) at.problems.push(`the embeds have ${characters} characters, 6000 are allowed`)
  return at.problems
}
