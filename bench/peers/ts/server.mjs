// The benchmark's tools on the TypeScript SDK: ping, log_meal and get_meals over one SQLite file.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { z } from 'zod';

const DAY_START_MS = 4 * 3_600_000;
const DAY_MS = 86_400_000;
const ZONE = 'UTC';
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

const synchronous = process.env.SYNCHRONOUS ?? 'FULL';
if (synchronous !== 'FULL' && synchronous !== 'NORMAL') throw new Error('SYNCHRONOUS is FULL or NORMAL');
const database = new DatabaseSync(process.env.DB);
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`);
database.exec(readFileSync(new URL('../schema.sql', import.meta.url), 'utf8'));

const hash = (token) => createHash('sha256').update(token).digest('hex');
database.prepare('INSERT INTO token VALUES (?, 1) ON CONFLICT DO NOTHING').run(hash(process.env.TOKEN));

const findToken = database.prepare('SELECT person_id FROM token WHERE hash = ?');
const begin = database.prepare('BEGIN IMMEDIATE');
const commit = database.prepare('COMMIT');
const rollback = database.prepare('ROLLBACK');
const nextId = database.prepare('SELECT coalesce(max(id), 0) + 1 AS id FROM meal WHERE owner = ?');
const insertMeal = database.prepare('INSERT INTO meal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
const sumDay = database.prepare(
    'SELECT sum(kcal) AS kcal, sum(protein) AS protein, sum(carb) AS carb, sum(fat) AS fat FROM meal WHERE owner = ? AND user_date = ?'
);
const listMeals = database.prepare(`
    SELECT id, eaten_at, user_date, name, slot, kcal, protein, carb, fat, fiber, sugar, saturated_fat, sodium, alcohol, source
    FROM meal WHERE owner = ? AND user_date BETWEEN ? AND ?
    ORDER BY user_date DESC, eaten_at DESC, id DESC LIMIT ?
`);
const countMeals = database.prepare('SELECT count(*) AS total FROM meal WHERE owner = ? AND user_date BETWEEN ? AND ?');

const kcal = z.number().int().min(0).max(10_000).describe('Energy in kcal');
const grams = z.number().min(0).max(1_000).describe('Grams');
const name = z.string().min(1).max(200).describe('What was eaten');
const date = z.iso.date().describe('YYYY-MM-DD, inclusive');

const logMealInput = z.object({
    kcal,
    protein_g: grams,
    carb_g: grams,
    fat_g: grams,
    eaten_at: z.string().optional().describe('YYYY-MM-DDTHH:MM, now when left out'),
    name: name.optional(),
    slot: z.enum(['breakfast', 'lunch', 'dinner', 'snack']).optional(),
    fiber_g: grams.optional(),
    sugar_g: grams.optional(),
    saturated_fat_g: grams.optional(),
    sodium_mg: z.number().min(0).max(50_000).optional().describe('Milligrams'),
    alcohol_g: grams.optional(),
    zero_ok: z.boolean().default(false).describe('True when a meal of nothing is meant'),
    idempotency_key: z.string().max(200).optional().describe('Same value on a retry'),
    allow_duplicate: z.boolean().default(false).describe('True to log the same meal again')
});

const getMealsInput = z.object({
    from_days_ago: z.number().int().min(1).max(3_650).optional().describe('The last n days, today included'),
    from_date: date.optional(),
    to_date: date.optional(),
    query: name.optional(),
    limit: z.number().int().min(1).max(200).default(50).describe('Rows in one answer')
});

/** ISO 8601 to the second, with offset. */
const isoSecond = (ms) => `${new Date(ms).toISOString().slice(0, 19)}+00:00`;
const dayOf = (ms) => new Date(ms - DAY_START_MS).toISOString().slice(0, 10);
const stamp = () => ({ server_now: isoSecond(Date.now()), user_tz: ZONE });
const tenths = (value) => (value === undefined ? null : Math.round(value * 10));
const number = (stored) => (stored === null ? null : stored / 10);

function slotAt(hour) {
    if (hour >= 4 && hour < 11) return 'breakfast';
    if (hour >= 11 && hour < 16) return 'lunch';
    return hour >= 16 && hour < 22 ? 'dinner' : 'snack';
}

function answer(object) {
    return { content: [{ type: 'text', text: JSON.stringify(object) }], structuredContent: object };
}

function refusal(text) {
    return { content: [{ type: 'text', text }], isError: true };
}

function ping() {
    return answer({ ok: true, version: '0.1.0', migrations_applied: 12, _meta: stamp() });
}

function logMeal(input, owner) {
    if (!input.zero_ok && input.kcal + input.protein_g + input.carb_g + input.fat_g === 0) {
        return refusal('kcal: everything is 0; send zero_ok: true if that is right');
    }
    const now = Date.now();
    const eatenAt = input.eaten_at === undefined ? now : Date.parse(`${input.eaten_at}Z`);
    if (Number.isNaN(eatenAt)) return refusal('eaten_at: is not a time');
    if (eatenAt > now + 300_000) return refusal('eaten_at: is in the future');
    const day = dayOf(eatenAt);
    const slot = input.slot ?? slotAt(new Date(eatenAt).getUTCHours());
    const { id, totals } = insert(input, { owner, now, eatenAt, day, slot });
    const total = Math.round(totals.kcal / 10);
    const weekday = WEEKDAYS[new Date(eatenAt - DAY_START_MS).getUTCDay()];
    return answer({
        id,
        change_id: id,
        user_date: day,
        day,
        eaten_at: isoSecond(eatenAt),
        slot,
        slot_source: 'derived',
        summary:
            `Logged meal for ${day} (${weekday}): ${input.kcal} kcal logged, ` +
            `${input.protein_g}p / ${input.carb_g}c / ${input.fat_g}f; day total: ${total} kcal (no active phase)`,
        day_totals: {
            kcal: total,
            protein_g: totals.protein / 10,
            carb_g: totals.carb / 10,
            fat_g: totals.fat / 10,
            kcal_from_food: total,
            kcal_from_alcohol: 0
        },
        day_target: null,
        warnings: [],
        undo: { tool: 'undo_change', change_id: id },
        _meta: stamp()
    });
}

function insert(input, { owner, now, eatenAt, day, slot }) {
    begin.run();
    try {
        const { id } = nextId.get(owner);
        insertMeal.run(
            owner, id, eatenAt * 1_000, day, input.name ?? null, slot, input.kcal * 10,
            tenths(input.protein_g), tenths(input.carb_g), tenths(input.fat_g), tenths(input.fiber_g),
            tenths(input.sugar_g), tenths(input.saturated_fat_g), tenths(input.sodium_mg), tenths(input.alcohol_g),
            'assistant:bench', now * 1_000
        );
        const totals = sumDay.get(owner, day);
        commit.run();
        return { id, totals };
    } catch (error) {
        rollback.run();
        throw error;
    }
}

function getMeals(input, owner) {
    const now = Date.now();
    const since = input.from_date ?? dayOf(now - ((input.from_days_ago ?? 7) - 1) * DAY_MS);
    const until = input.to_date ?? dayOf(now);
    const rows = listMeals.all(owner, since, until, input.limit);
    const { total } = countMeals.get(owner, since, until);
    const query = input.query?.toLowerCase();
    const items = rows.map(meal).filter((item) => query === undefined || (item.name ?? '').toLowerCase().includes(query));
    const truncated = total > items.length;
    return answer({
        items,
        total,
        next_cursor: truncated && items.length > 0 ? String(items.at(-1).id) : null,
        truncated,
        _meta: stamp()
    });
}

function meal(row) {
    return {
        id: row.id,
        eaten_at: isoSecond(row.eaten_at / 1_000),
        zone: ZONE,
        user_date: row.user_date,
        name: row.name,
        slot: row.slot,
        kcal: number(row.kcal),
        protein_g: number(row.protein),
        carb_g: number(row.carb),
        fat_g: number(row.fat),
        fiber_g: number(row.fiber),
        sugar_g: number(row.sugar),
        saturated_fat_g: number(row.saturated_fat),
        sodium_mg: number(row.sodium),
        alcohol_g: number(row.alcohol),
        source: row.source
    };
}

/** The SDK asks for a fresh server per request when nothing is kept between them. */
function build({ authInfo }) {
    const owner = Number(authInfo.clientId);
    const server = new McpServer({ name: 'peer', version: '1.0.0' });
    server.registerTool(
        'ping',
        { description: 'Answers when the server is up. For use after a network failure only.', inputSchema: z.object({}) },
        () => ping()
    );
    server.registerTool(
        'log_meal',
        {
            description: "Logs a meal and answers the day's totals. Never for drinks: they belong in log_alcohol.",
            inputSchema: logMealInput
        },
        (input) => logMeal(input, owner)
    );
    server.registerTool(
        'get_meals',
        { description: 'Lists meals, newest first.', inputSchema: getMealsInput },
        (input) => getMeals(input, owner)
    );
    return server;
}

const modern = toNodeHandler(createMcpHandler(build, { legacy: 'reject' }));

/** Legacy requests go to a transport of their own: only there can an answer be JSON instead of an event stream. */
async function legacy(req, res, body) {
    const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
    const server = build({ authInfo: req.auth });
    await server.connect(transport);
    await transport.handleRequest(req, res, body);
}

async function readBody(req) {
    const chunks = [];
    for await (const chunk of req) chunks.push(chunk);
    return JSON.parse(Buffer.concat(chunks).toString());
}

function authenticate(req) {
    const token = /^Bearer (\S+)$/.exec(req.headers.authorization ?? '')?.[1];
    const row = token === undefined ? undefined : findToken.get(hash(token));
    if (row === undefined) return false;
    req.auth = { token, clientId: String(row.person_id), scopes: ['journal'] };
    return true;
}

function end(res, status, headers = {}) {
    res.writeHead(status, headers).end();
}

const server = createServer(async (req, res) => {
    try {
        if (req.url !== '/mcp') return end(res, 404);
        if (!authenticate(req)) return end(res, 401, { 'www-authenticate': 'Bearer' });
        if (req.method !== 'POST') return end(res, 405, { allow: 'POST' });
        const body = await readBody(req);
        const isModern = body?.params?._meta?.[VERSION_KEY] !== undefined;
        await (isModern ? modern : legacy)(req, res, body);
    } catch (error) {
        if (res.headersSent) res.destroy(error);
        else end(res, error instanceof SyntaxError ? 400 : 500);
    }
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
