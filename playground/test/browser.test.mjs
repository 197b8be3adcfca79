// The page in a real browser. `JSONSEAM_CHROMIUM` names the program; by default that of Debian.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { after, before } from 'node:test';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(join(root, '../bindings/js/package.json'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const program = process.env.JSONSEAM_CHROMIUM ?? '/usr/bin/chromium';

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml' };
/** As a host that reads `_headers` serves the folder. */
const policy = /Content-Security-Policy: (.*)/.exec(readFileSync(join(root, 'dist/_headers'), 'utf8'))[1];
const server = createServer((request, response) => {
  const path = request.url === '/' ? '/index.html' : request.url.split('?')[0];
  const file = join(root, 'dist', path);
  if (!existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain', 'content-security-policy': policy });
  return response.end(readFileSync(file));
});

let browser;
let url;
before(async () => {
  assert.ok(existsSync(program), `there is no browser at ${program}: name one in JSONSEAM_CHROMIUM`);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({ executablePath: program, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
});
after(async () => {
  await browser?.close();
  server.close();
});

/** A page whose console stays empty, which asks for nothing once it has loaded. */
async function open(work, { hash = '', ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'], ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(`${error}`));
  await page.goto(url + hash);
  await settled(page, /^(?!Loading|Paste)/);
  page.on('request', (request) => complaints.push(`a request after load: ${request.url()}`));
  await work(page);
  assert.deepEqual(complaints, []);
  await context.close();
}

async function settled(page, wanted) {
  try {
    await page.waitForFunction(([source]) => new RegExp(source).test(document.getElementById('status').textContent), [wanted.source], { timeout: 20_000 });
  } catch {
    assert.fail(`the status is ${await page.textContent('#status')}, not ${wanted}`);
  }
}

/** As a user pastes: over everything. */
async function paste(page, text) {
  await page.locator('#left .cm-content').click();
  await page.keyboard.press('Control+a');
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.getElementById('left').shadowRoot.querySelector('.cm-content').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

const marked = (page) => page.locator('#left .edit:not(.outside)').allTextContents();
const places = (page) => page.locator('.edit-row .place').allTextContents();

test('the completion of the README shows its nine edits at their columns', () =>
  open(async (page) => {
    await settled(page, /Repaired with 9 edits, risk at most likely/);
    assert.deepEqual(await places(page), ['6:49', '9:53', '9:55', '11:3', '12:36', '14:18', '16:3', '16:12', '16:14']);
    const wide = (await marked(page)).filter((text) => text.trim());
    assert.deepEqual(wide, ['True', ',', ',', '// the courier wrote this on two lines', 'None']);
    assert.deepEqual(await page.locator('#right .edit').allTextContents(), ['true', '\\n', ',', '"', '"', 'null']);
    JSON.parse((await page.locator('#right .cm-line').allTextContents()).join('\n'));
  }));

test('emoji and CRLF do not shift the marks', () =>
  open(async (page) => {
    await paste(page, '{"😀é": "👩‍👩‍👧",\r\n "b": None,\r\n "c": True}');
    await settled(page, /Repaired with 2 edits/);
    assert.deepEqual(await marked(page), ['None', 'True']);
    assert.deepEqual(await places(page), ['2:7', '3:7']);
    await page.locator('.edit-row').nth(1).click();
    assert.equal(await page.locator('#left .edit.active').first().textContent(), 'True');
    assert.equal(await page.locator('#right .edit.active').first().textContent(), 'true');
  }));

test('a tooltip says rule, risk, change and path', () =>
  open(async (page) => {
    await paste(page, '{"a": {"b": None}}');
    await settled(page, /1 edit/);
    await page.locator('#left .edit.certain').first().hover();
    assert.equal(await page.locator('#left .tip').innerText().then((text) => text.replace(/\s+/g, ' ')), 'rule python-literal risk certain change None → null path /a/b');
  }));

test('a refusal says why and where, and a button repairs it', () =>
  open(async (page) => {
    await page.locator('label', { hasText: /^strict$/ }).click();
    await paste(page, '{"a": [1, None');
    await settled(page, /Refused: truncated at line 1, column 11/);
    assert.equal(await page.locator('#left .edit.fault').textContent(), 'N');
    await page.getByRole('button', { name: 'use standard' }).click();
    await settled(page, /Repaired with .* cut off/);
    await page.locator('label', { hasText: /^strict$/ }).click();
    await paste(page, '{"a": None}');
    await settled(page, /Refused: .* column 7/);
    await page.getByRole('button', { name: 'enable python-literal' }).click();
    await settled(page, /Repaired with 1 edit/);
    assert.match(await page.locator('#code').textContent(), /enable = \["python-literal"\]/);
  }));

test('a word that no rule takes for a text is refused with the reason, under every preset', () =>
  open(async (page) => {
    for (const preset of ['strict', 'standard', 'lenient']) {
      await page.locator('label', { hasText: new RegExp(`^${preset}$`) }).click();
      await paste(page, '{key: value}');
      await settled(page, /Refused: syntax/);
      await page.getByText('All rules together stop at line 1, column 7: this word without quotes is code').waitFor();
    }
  }));

test('a setting that is changed right after a paste keeps what was pasted', () =>
  open(async (page) => {
    await paste(page, '{"a": None, "b": 2}');
    await page.locator('label', { hasText: /^lenient$/ }).click();
    await settled(page, /Repaired with 1 edit/);
    assert.match(await page.locator('#left .cm-content').textContent(), /"b": 2\}/);
  }));

test('both payloads of an ambiguous text are shown', () =>
  open(async (page) => {
    await page.selectOption('#example', { label: 'Refused: two payloads' });
    await settled(page, /Refused: ambiguous_payload/);
    assert.deepEqual(await page.locator('.card ol code').allTextContents(), ['{"answer": 1}', '{"answer": 2}']);
  }));

test('both readings of a text that can be read in two ways are shown', async () => {
  // No engine is needed for what the page does with such an answer, so this one is scripted.
  const text = '{"a": "one" two"}';
  const refusal = {
    reason: 'ambiguous_repair', meaning: 'the text can be read in two ways', message: '', position: 12, line: 1, column: 13, mendedBy: [], presets: [], candidates: [], isTruncated: false, doubt: 'the quotes fit both ways',
    readings: [
      { cost: 120, edits: [{ rule: 'unescaped-quote', start: 10, end: 11, byteStart: 10, byteEnd: 11 }] },
      { cost: 140, edits: [{ rule: 'stray-text', start: 12, end: 16, byteStart: 12, byteEnd: 16 }] },
    ],
  };
  const script = `postMessage({ ready: { rules: [], presets: [] } }); onmessage = ({ data: { id } }) => postMessage({ id, answer: { refusal: ${JSON.stringify(refusal)} } });`;
  const page = await browser.newPage();
  await page.route('**/worker.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
  await page.goto(url);
  await settled(page, /Refused/);
  await paste(page, text);
  await settled(page, /Refused: ambiguous_repair at line 1, column 13/);
  await page.waitForFunction(() => document.getElementById('left').shadowRoot.querySelector('.reading-b')?.textContent === 'two"');
  assert.deepEqual(await page.locator('.readings h2').allTextContents(), ['Reading A', 'Reading B']);
  assert.deepEqual(await page.locator('.readings p').allTextContents(), ['unescaped-quote, cost 120', 'stray-text, cost 140']);
  assert.deepEqual(await page.locator('.readings pre').allTextContents(), [text, text]);
  assert.deepEqual(await page.locator('.readings mark').allTextContents(), ['"', 'two"']);
  assert.equal(await page.locator('#left .reading-a').textContent(), '"');
  assert.match(await page.locator('.card.refused').textContent(), /in two ways.*the quotes fit both ways/);
  await page.close();
});

test('a reading that no rule writes says what it is', () =>
  open(async (page) => {
    await page.locator('label', { hasText: /^lenient$/ }).click();
    await paste(page, '{"a": "x "y", "b": "z", "c": 1}');
    await settled(page, /Refused: ambiguous_repair/);
    assert.equal(await page.locator('.readings p').nth(1).textContent(), 'What no rule writes: the text may hold what looks like the next member, cost 213');
  }));

test('a poorer preset that knows one of two readings alone is offered', () =>
  open(async (page) => {
    await page.locator('label', { hasText: /^lenient$/ }).click();
    await paste(page, '{"t": ["a" "b" "c"], x: 1,}');
    await settled(page, /Refused: ambiguous_repair/);
    await page.getByText('A preset that knows one of the readings alone').waitFor();
    await page.getByRole('button', { name: 'use standard' }).click();
    await settled(page, /Repaired with/);
  }));

test('each reading stands with its JSON beside the other', () =>
  open(async (page) => {
    await page.locator('label', { hasText: /^lenient$/ }).click();
    await paste(page, '{"calls": ["sum" "(a=1, b=2)", "f()"]}');
    await settled(page, /Refused: ambiguous_repair/);
    const given = await page.locator('.readings pre:last-child').allTextContents();
    assert.deepEqual(given.map((text) => JSON.parse(text).calls), [['sum', '(a=1, b=2)', 'f()'], ['sum" "(a=1, b=2)', 'f()']]);
    const [a, b] = await Promise.all([0, 1].map((which) => page.locator('.readings .card').nth(which).boundingBox()));
    assert.ok(a.y === b.y && a.x + a.width < b.x, 'side by side');
  }));

test('the first figure is not the start of the engine', async () => {
  const script = readFileSync(join(root, 'dist/worker.js'), 'utf8');
  const counting = `let made = 0; self.madeWhenReady = -1; WebAssembly.Instance = class extends WebAssembly.Instance { constructor(...all) { super(...all); made += 1; } };
    const post = self.postMessage.bind(self); self.postMessage = (message) => { if (message.ready) self.madeWhenReady = made; post(message); };`;
  const page = await browser.newPage();
  await page.route('**/worker.js', (route) => route.fulfill({ contentType: 'text/javascript', body: `${counting}\n${script}` }));
  await page.goto(url);
  await settled(page, /Repaired/);
  assert.equal(await page.workers()[0].evaluate(() => self.madeWhenReady), 1);
  await page.close();
});

test('a text that is typed is no example, and is typed without styles', () =>
  open(async (page) => {
    assert.equal(await page.inputValue('#example'), '0');
    await page.locator('#left .cm-content').click();
    await page.keyboard.press('Control+a');
    // Over decorated text: the console stays empty, which the end of this test asserts.
    await page.keyboard.type('{"a": None,}');
    await settled(page, /2 edits/);
    assert.equal(await page.inputValue('#example'), '');
    assert.equal(await page.locator('#left .cm-content [style]').count(), 0);
    // One character is not struck out: a line through it reads as a dash.
    const line = (text) => page.locator('#left .edit.removed', { hasText: text }).evaluate((mark) => getComputedStyle(mark).textDecorationLine);
    assert.deepEqual([await line('None'), await line(/^,$/)], ['line-through', 'none']);
  }));

test('the colours are explained where they are named', () =>
  open(async (page) => {
    assert.ok(await page.getByText('Only punctuation changes').isHidden());
    await page.locator('#legend summary').focus();
    await page.keyboard.press('Enter');
    assert.ok(await page.getByText('Only punctuation changes').isVisible());
    assert.equal(await page.locator('#legend dd').count(), 4);
  }));

test('every rule shows its cases, and the engine gives what each of them says', () =>
  open(async (page) => {
    await page.locator('#rules-open').click();
    const rules = await page.locator('#rules-list > li').count();
    await page.evaluate(() => { for (const details of document.querySelectorAll('#rules-list details')) details.open = true; });
    await page.waitForFunction((rules) => [...document.querySelectorAll('.cases')].filter((list) => list.children.length >= 4).length >= rules - 3, rules, { timeout: 30_000 });
    const otherwise = await page.evaluate(() => [...document.querySelectorAll('.cases .otherwise')].map((mark) => `${mark.closest('.cases').dataset.rule}: ${mark.closest('li').querySelector('b').textContent}`));
    assert.deepEqual(otherwise, []);
    assert.ok((await page.locator('.cases .said').count()) > 500);
    await page.getByRole('button', { name: 'Open the case: the end of an array and of an object' }).click();
    await settled(page, /Repaired with 2 edits/);
    assert.deepEqual(await marked(page), [',', ',']);
  }));

test('contract keys and the finish reason are judged', () =>
  open(async (page) => {
    await paste(page, 'Sure: {answer: "yes", Score: 7}');
    await page.fill('#keys', 'answer, score, note?');
    await page.getByRole('heading', { name: 'The contract is not met' }).waitFor();
    assert.match(await page.locator('#status').getAttribute('class'), /refused/);
    assert.match(await page.locator('#status').textContent(), /the contract is not met/);
    assert.match(await page.locator('#code').textContent(), /\[outputs\."note"\]\n# optional = true/);
    assert.match(await page.locator('.card.refused').textContent(), /missing: score.*not declared: Score/);
    await page.fill('#keys', 'answer, Score');
    await page.getByRole('heading', { name: 'The contract is met' }).waitFor();
    await page.selectOption('#finish', 'length');
    await page.getByRole('heading', { name: 'The contract is not met' }).waitFor();
    await settled(page, /cut off/);
  }));

test('the same run is shown in five languages', () =>
  open(async (page) => {
    await page.fill('#keys', 'a, b?');
    await page.locator('label', { hasText: /^lenient$/ }).click();
    const wanted = { TOML: /preset = "lenient"/, Command: /jsonseam parse --preset lenient/, Python: /jsonseam\.Contract\(\["a"\], optional=\["b"\]/, JavaScript: /createContract\(\{ keys: \["a"\]/, Rust: /\.outputs\(\["a"\]\)/ };
    for (const [name, text] of Object.entries(wanted)) {
      await page.getByRole('tab', { name }).click();
      assert.match(await page.locator('#code').textContent(), text);
    }
  }));

test('a link carries text and settings, and what is too long is no link', () =>
  open(async (page) => {
    const text = '{"ü😀": None,\r\n "b": </script>}';
    await page.locator('label', { hasText: /^lenient$/ }).click();
    await paste(page, text);
    await page.fill('#keys', 'ü😀');
    await page.locator('#share').click();
    await page.locator('#share', { hasText: 'Copied' }).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await open(async (other) => {
      assert.equal(await other.locator('#keys').inputValue(), 'ü😀');
      assert.ok(await other.locator('input[value=lenient]').isChecked());
      await other.locator('#left .cm-content').click();
      await other.keyboard.press('Control+a');
      const copied = await other.evaluate(() => {
        const clipboardData = new DataTransfer();
        document.getElementById('left').shadowRoot.querySelector('.cm-content').dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
        return clipboardData.getData('text/plain');
      });
      assert.equal(copied, text);
    }, { hash: new URL(link).hash });
    const noise = Array.from({ length: 40_000 }, () => String.fromCharCode(33 + Math.floor(Math.random() * 90))).join('');
    await paste(page, noise);
    await settled(page, /Refused|Repaired|Valid/);
    await page.locator('#share').click();
    await settled(page, /too long for a link/);
  }));

test('a broken link is no harm', async () => {
  for (const hash of ['#1.nonsense', '#1.', '#2.x', `#1.${'A'.repeat(20_000)}`]) await open((page) => settled(page, /Repaired with 9 edits/), { hash });
});

test('hostile text is text', () =>
  open(async (page) => {
    await paste(page, '{"</script><img src=x onerror=alert(1)>": "\u202eevil\u202c \u200b", x: 1}');
    await settled(page, /Repaired with/);
    assert.equal(await page.locator('img[src]').count(), 0);
    assert.ok((await page.locator('#left .cm-specialChar').allTextContents()).includes('U+202E'));
  }));

test('5 MB, pasted, leave the page responsive', () =>
  open(async (page) => {
    const row = '{"id": 1, "name": "Ada", "tags": ["a", "b",], ok: True},\n';
    const text = `[${row.repeat(Math.ceil((5 * 1024 * 1024) / row.length))}]`;
    await page.evaluate(() => {
      window.longest = 0;
      let last = performance.now();
      const tick = () => {
        window.longest = Math.max(window.longest, performance.now() - last);
        last = performance.now();
        requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    });
    const start = Date.now();
    await paste(page, text);
    await settled(page, /Repaired with \d+,\d+/);
    const took = Date.now() - start;
    await page.locator('#rules-open').click();
    assert.ok(await page.locator('#rules').isVisible());
    assert.equal(await page.locator('.edit-row').count(), 200);
    console.log(`# 5 MB: shown after ${took} ms, longest frame ${Math.round(await page.evaluate(() => window.longest))} ms`);
  }));

test('everything can be done with the keyboard', () =>
  open(async (page) => {
    const reached = new Set();
    for (let index = 0; index < 40; index += 1) {
      await page.keyboard.press('Tab');
      reached.add(await page.evaluate(() => {
        const { activeElement: at } = document;
        return at.id || at.shadowRoot?.activeElement?.getAttribute('aria-label') || at.name || at.className;
      }));
    }
    for (const wanted of ['skip', 'share', 'theme', 'example', 'preset', 'root', 'finish', 'keys', 'rules-open', 'left', 'edit-row']) assert.ok(reached.has(wanted), `${wanted} is not among ${[...reached]}`);
    await page.locator('#left .cm-content').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+ArrowDown');
    assert.equal(await page.locator('#left .edit.active').first().textContent(), ',');
    assert.match(await page.locator('#announce').textContent(), /Edit 2 of 9: trailing-comma/);
    await page.getByRole('tab', { name: 'TOML' }).focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Command');
    await page.locator('#theme').focus();
    const before = await page.evaluate(() => document.documentElement.dataset.theme);
    await page.keyboard.press('Enter');
    assert.notEqual(await page.evaluate(() => document.documentElement.dataset.theme), before);
  }));

test('on a phone the page opens at its top, with the outcome in sight', () =>
  open(async (page) => {
    await page.waitForTimeout(500);
    assert.equal(await page.evaluate(() => scrollY), 0);
    const { y, height } = await page.locator('#status').boundingBox();
    assert.ok(y > 0 && y + height < 844, `the outcome ends at ${y + height}`);
  }, { viewport: { width: 390, height: 844 } }));

test('on a phone the reason of a refusal is not below a pane without JSON', () =>
  open(async (page) => {
    await paste(page, '{key: value}');
    await settled(page, /Refused/);
    assert.ok((await page.locator('#right').boundingBox()).height < 80);
    assert.ok(await page.locator('.card.refused').isVisible());
  }, { viewport: { width: 390, height: 844 } }));

test('on a phone the settings that few need are folded away, unless they are set', () =>
  open(async (page) => {
    const more = page.locator('#more-open');
    assert.ok(await page.locator('#root').isHidden());
    await more.focus();
    await page.keyboard.press('Enter');
    assert.ok(await page.locator('#root').isVisible());
    await more.click();
    assert.ok(await page.locator('#keys').isHidden());
    await page.selectOption('#example', { label: 'Keys that were not asked for' });
    await page.locator('#keys').waitFor({ state: 'visible' });
  }, { viewport: { width: 390, height: 844 } }));

for (const colorScheme of ['light', 'dark']) {
  for (const [device, viewport] of Object.entries({ desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } })) {
    test(`axe finds nothing: ${colorScheme}, ${device}`, () =>
      open(async (page) => {
        const judge = async () => {
          // The policy of the page forbids scripts from elsewhere, so it is set aside for this one.
          const { violations } = await page.evaluate(() => axe.run(document, { rules: { 'color-contrast': { enabled: true } } }));
          assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ target, failureSummary }) => `${target}: ${failureSummary}`)]), []);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the page');
        };
        await page.evaluate(`(() => { ${axe} })()`);
        await judge();
        await page.locator('#rules-open').click();
        await page.selectOption('#example', { label: 'Refused here, repaired by a rule that is off' });
        await settled(page, /Refused/);
        await judge();
      }, { viewport, colorScheme }));
  }
}

test('the page may connect to nothing', async () => {
  const page = await browser.newPage();
  await page.goto(url);
  const refused = await page.evaluate(async () => {
    const directives = [];
    addEventListener('securitypolicyviolation', ({ effectiveDirective }) => directives.push(effectiveDirective));
    const isRefused = await fetch('/index.html').then(() => false, () => true);
    document.body.append(Object.assign(document.createElement('img'), { src: '/elsewhere.gif' }));
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { isRefused, directives: [...new Set(directives)] };
  });
  assert.deepEqual(refused, { isRefused: true, directives: ['connect-src', 'img-src'] });
  await page.close();
});
