import { expect, test } from 'vitest'
import { errorText } from './error-text.ts'

const long = 'x'.repeat(200)
const failed = 'Request failed with status 500'

test.each([
  { when: 'a JSON error', body: '{"error":"Name is taken","code":"duplicate_name"}', text: 'Name is taken' },
  { when: 'a JSON message', body: '{"message":"Not now"}', text: 'Not now' },
  { when: 'error before message', body: '{"message":"b","error":"a"}', text: 'a' },
  { when: 'a long JSON error', body: `{"error":"${long}"}`, text: long },
  { when: 'a JSON error of 10 KB', body: `{"error":"${long.repeat(50)}"}`, text: failed },
  { when: 'HTML in a JSON error', body: '{"error":"<html><body>oops</body></html>"}', text: failed },
  {
    when: 'a JSON error of 10 KB beside a message',
    body: `{"error":"${long.repeat(50)}","message":"Full"}`,
    text: 'Full',
  },
  { when: 'plain text of 10 KB', body: long.repeat(50), text: failed },
  { when: '10 KB in a pre tag', body: `<pre>${long.repeat(50)}</pre>`, text: failed },
  { when: 'a pre tag that never ends', body: '<pre>'.repeat(2_000), text: failed },
  { when: 'text with HTML further on', body: 'oops <b>here</b>', text: failed },
  { when: 'JSON that says nothing', body: '{"error":42}', text: failed },
  {
    when: 'text in a pre tag',
    body: '<html><body><pre>Cannot GET /x</pre></body></html>',
    text: 'Cannot GET /x',
  },
  {
    when: 'a pre tag with attributes and entities',
    body: '<pre class="e">a &lt;b&gt;\n &amp;amp;</pre>',
    text: 'a <b>\n &amp;',
  },
  { when: 'markup within a pre tag', body: '<pre>no <b>way</b></pre>', text: 'no way' },
  { when: 'an empty pre tag', body: '<pre></pre>', text: failed },
  { when: 'plain short text', body: ' Bad gateway \n', text: 'Bad gateway' },
  { when: 'plain text of 199', body: 'x'.repeat(199), text: 'x'.repeat(199) },
  { when: 'plain text of 200', body: long, text: failed },
  { when: 'HTML', body: '<!doctype html><p>oops', text: failed },
  { when: 'nothing', body: '', text: failed },
  { when: 'broken JSON', body: '{"error":', text: failed },
])('[spec 1 §8] $when', ({ body, text }) => {
  expect(errorText(500, body)).toBe(text)
})

// Each of these made an earlier expression scan the whole body once per character.
test.each(['<pre>', '<pre', '<', '<pre><', '</pre>', '\n', '>'])(
  '[S15] a megabyte of %j is no message',
  (piece) => {
    const body = piece.repeat(1_000_000 / piece.length)
    expect(errorText(500, body)).toBe('Request failed with status 500')
    expect(errorText(500, `<pre>${body}`)).toBe(errorText(500, body))
  },
)
