"""`Repair` in a pydantic-ai agent with a function as its model."""

import asyncio

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent, PromptedOutput
from pydantic_ai.capabilities import ProcessHistory
from pydantic_ai.exceptions import UnexpectedModelBehavior
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import DeltaToolCall, FunctionModel

from jsonseam.integrations.pydantic_ai import Repair, heal_messages


class City(BaseModel):
    city: str
    population: int


BROKEN = "{'city': 'Oslo', population: 717710,}"


def scripted(*responses):
    """A model that gives these responses in turn, and the requests it saw."""
    left, seen = list(responses), []

    def answer(messages, info):
        seen.append(messages)
        return ModelResponse(parts=left.pop(0))

    return FunctionModel(answer), seen


def test_structured_text_is_repaired_before_it_is_validated():
    model, seen = scripted([TextPart("Sure: " + BROKEN)])
    agent = Agent(model, output_type=PromptedOutput(City), capabilities=[Repair()])
    assert agent.run_sync("?").output == City(city="Oslo", population=717710)
    assert len(seen) == 1


def test_the_arguments_of_an_output_tool_are_repaired():
    model, seen = scripted([ToolCallPart("final_result", BROKEN)])
    agent = Agent(model, output_type=City, capabilities=[Repair()])
    assert agent.run_sync("?").output.city == "Oslo"
    assert len(seen) == 1


def test_the_arguments_of_a_tool_are_repaired():
    model, _ = scripted([ToolCallPart("look_up", "{country: 'Norway',}")], [TextPart("Oslo")])
    agent, asked = Agent(model, capabilities=[Repair()]), []

    @agent.tool_plain
    def look_up(country: str) -> str:
        asked.append(country)
        return "Oslo"

    assert agent.run_sync("?").output == "Oslo"
    assert asked == ["Norway"]


def test_a_refusal_asks_again_without_the_text():
    model, seen = scripted([TextPart("canary")], [TextPart(BROKEN)])
    agent = Agent(model, output_type=PromptedOutput(City), capabilities=[Repair()])
    assert agent.run_sync("?").output.city == "Oslo"
    feedback = str(seen[1][-1].parts[0].content)
    assert "no_json" not in feedback and "holds no JSON of the wanted kind" in feedback
    assert "canary" not in feedback


def test_half_a_command_is_no_command():
    model, _ = scripted(*[[ToolCallPart("transfer", '{"amount": 12')]] * 3)
    agent, done = Agent(model, capabilities=[Repair()]), []

    @agent.tool_plain
    def transfer(amount: int) -> str:
        done.append(amount)
        return "done"

    with pytest.raises(UnexpectedModelBehavior):
        agent.run_sync("?")
    assert done == []


def stopped(reason, *parts):
    return ModelResponse(parts=list(parts), finish_reason=reason)


def run(agent_options, response, **repair):
    """The output of an agent whose model always answers alike."""
    return Agent(FunctionModel(lambda messages, info: response), capabilities=[Repair(**repair)], **agent_options).run_sync("?").output


@pytest.mark.parametrize("options", [{"output_type": PromptedOutput(City)}, {"output_type": City}])
def test_b3_the_finish_reason_counts(options):
    def answer(reason):
        part = TextPart(BROKEN) if isinstance(options["output_type"], PromptedOutput) else ToolCallPart("final_result", BROKEN)
        return stopped(reason, part)

    assert run(options, answer("stop")) == run(options, answer("length"), allow_truncated=True) == City(city="Oslo", population=717710)
    with pytest.raises(UnexpectedModelBehavior):
        run(options, answer("length"))


def test_b3_half_an_answer_is_taken_if_it_is_allowed():
    half = stopped("stop", TextPart('{"city": "Oslo", "population": 71'))
    options = {"output_type": PromptedOutput(City)}
    assert run(options, half, allow_truncated=True).population == 71
    with pytest.raises(UnexpectedModelBehavior):
        run(options, half)


def test_b3_of_several_calls_only_the_last_can_be_cut_off():
    calls = [ToolCallPart("note", "{text: 'one',}", tool_call_id="1"), ToolCallPart("note", "{text: 'two',}", tool_call_id="2")]
    responses, noted = [stopped("length", *calls), stopped("stop", TextPart("done"))], []
    agent = Agent(FunctionModel(lambda messages, info: responses.pop(0)), capabilities=[Repair()])

    @agent.tool_plain
    def note(text: str) -> str:
        noted.append(text)
        return "noted"

    assert agent.run_sync("?").output == "done"
    assert noted == ["one"]


def test_a_history_of_broken_calls_is_healed_before_it_is_sent():
    def history(*parts):
        user = ModelRequest([UserPromptPart("?")])
        return [user, ModelResponse(list(parts)), ModelRequest([ToolReturnPart("look_up", "ok", part.tool_call_id) for part in parts])]

    broken = history(ToolCallPart("look_up", '{"country": "Norway"', "1"), ToolCallPart("look_up", "", "2"), ToolCallPart("look_up", "canary", "3"))
    model, seen = scripted([TextPart("Oslo")])
    agent = Agent(model, capabilities=[ProcessHistory(heal_messages)])
    assert agent.run_sync("And?", message_history=broken).output == "Oslo"
    assert [part.args for part in seen[0][1].parts] == ['{"country": "Norway"}', "{}", "canary"]
    assert heal_messages(seen[0])[1] is seen[0][1]
    # A call without a result may still be run.
    assert heal_messages(broken[:2])[1].parts[0].args == '{"country": "Norway"'


def test_the_page_for_agents_shows_these_lines(page):
    model, seen = scripted([ToolCallPart("look_up", "{country: 'Norway',}")], [TextPart("Oslo")])
    agent, asked = page("integrations.pydantic_ai", model=model)["agent"], []

    @agent.tool_plain
    def look_up(country: str) -> str:
        asked.append(country)
        return "Oslo"

    assert (agent.run_sync("?").output, asked) == ("Oslo", ["Norway"])
    assert seen[1][1].parts[0].args_as_dict() == {"country": "Norway"}


class Trip(BaseModel):
    city: str = ""
    stops: list[str] = []
    price: int = 0


TRIP = "Sure!\n```json\n{city: \"Oslo\", 'stops': ['Alna', 'Ås',], price: 1250,}\n```"


def streaming(text, size, *, as_tool):
    """A model that writes an answer in pieces."""

    async def answer(messages, info):
        for at in range(0, len(text), size):
            piece = text[at : at + size]
            yield {0: DeltaToolCall("final_result" if at == 0 else None, piece, tool_call_id="call-1")} if as_tool else piece

    return FunctionModel(stream_function=answer)


def shown(text, size=3, *, as_tool=False, **options):
    """The outputs that an agent gives while the answer streams in, the last one whole."""
    output_type = Trip if as_tool else PromptedOutput(Trip)
    agent = Agent(streaming(text, size, as_tool=as_tool), output_type=output_type, capabilities=[Repair(**options)])

    async def run():
        async with agent.run_stream("?") as result:
            return [output async for output in result.stream_output(debounce_by=None)]

    return asyncio.run(run())


@pytest.mark.parametrize("as_tool", [False, True])
@pytest.mark.parametrize("size", [1, 7, 64])
def test_t2_a_broken_answer_streams_in_and_nothing_is_taken_back(as_tool, size):
    text = TRIP if not as_tool else TRIP.split("json\n")[1].split("\n```")[0]
    given = shown(text, size, as_tool=as_tool)
    assert given[-1] == Trip(city="Oslo", stops=["Alna", "Ås"], price=1250)
    for before, after in zip(given, given[1:]):
        assert after.city.startswith(before.city) and len(after.stops) >= len(before.stops)
        assert before.price in (0, after.price), "a number that goes on is not shown"
    assert len(set(map(str, given))) >= {1: 6, 7: 3, 64: 1}[size] and (size > 1 or Trip(city="Os") in given)


def test_two_runs_at_once_show_their_own():
    agent = Agent(streaming(TRIP, 2, as_tool=False), output_type=PromptedOutput(Trip), capabilities=[Repair()])

    async def run():
        async with agent.run_stream("?") as result:
            return [output async for output in result.stream_output(debounce_by=None)]

    async def both():
        return await asyncio.gather(run(), run())

    one, other = asyncio.run(both())
    assert one == other and len(one) > 3


def test_a_stream_that_is_beyond_repair_shows_what_was_settled_and_is_refused():
    with pytest.raises(UnexpectedModelBehavior):
        shown("{\"city\": \"Oslo\", \"stops\" ['Alna' 3 4")
