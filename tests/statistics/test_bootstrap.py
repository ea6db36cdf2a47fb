"""Intervals against a second implementation, against theory, and in simulated coverage."""

import numpy as np
import pytest
from scipy import stats

from sqlrl.statistics.bootstrap import BootstrapSettings, Interval, interval, paired_difference, unseen_bound
from tests.statistics.simulation import coverage

SETTINGS = BootstrapSettings(resamples=2000, confidence=0.95, seed=7)


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def test_the_task_interval_is_that_of_a_plain_percentile_bootstrap(rng):
    values = rng.binomial(4, 0.4, 140) / 4
    found = interval(values, SETTINGS).by_task
    draws = values[np.random.default_rng(1).integers(0, 140, (20_000, 140))].mean(axis=1)
    assert (found.low, found.high) == pytest.approx(np.quantile(draws, [0.025, 0.975]), abs=0.006)


def test_the_task_interval_of_many_tasks_is_that_of_the_normal_mean(rng):
    values = rng.normal(0.2, 0.3, 5000)
    found = interval(values, SETTINGS).by_task
    expected = stats.norm.interval(0.95, values.mean(), stats.sem(values))
    assert (found.low, found.high) == pytest.approx(expected, abs=0.0012)


def test_the_same_seed_gives_the_same_interval_and_another_seed_another(rng):
    values = rng.random(50)
    other = BootstrapSettings(resamples=2000, confidence=0.95, seed=8)
    assert interval(values, SETTINGS) == interval(values, SETTINGS)
    assert interval(values, SETTINGS).by_task != interval(values, other).by_task


def test_clusters_of_one_task_each_change_nothing_but_the_draw(rng):
    values = rng.random(200)
    found = interval(values, SETTINGS, [str(index) for index in range(200)])
    assert found.by_cluster is not None
    assert found.by_cluster.width == pytest.approx(found.by_task.width, rel=0.08)


def test_copies_of_a_task_do_not_narrow_the_clustered_interval(rng):
    few = rng.random(40)
    names = [str(index) for index in range(40)]
    alone = interval(few, SETTINGS, names)
    copied = interval(np.repeat(few, 9), SETTINGS, [name for name in names for _ in range(9)])
    assert copied.by_cluster is not None
    assert copied.by_cluster.width == pytest.approx(alone.by_task.width, rel=0.08)
    assert copied.by_task.width == pytest.approx(alone.by_task.width / 3, rel=0.1)
    assert copied.headline == copied.by_cluster
    assert copied.design_effect == pytest.approx(9, rel=0.25)


def test_a_large_cluster_weighs_as_much_as_its_tasks(rng):
    values = np.concatenate([np.ones(30), np.zeros(10)])
    clusters = ["large"] * 30 + [str(index) for index in range(10)]
    found = interval(values, SETTINGS, clusters).by_cluster
    draws = []
    for _ in range(4000):
        drawn = rng.integers(0, 11, 11)
        sizes = np.where(drawn == 0, 30, 1)
        draws.append((sizes * (drawn == 0)).sum() / sizes.sum())
    assert found is not None
    assert (found.low, found.high) == pytest.approx(np.quantile(draws, [0.025, 0.975]), abs=0.03)


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_all_pass_and_all_fail_have_a_zero_width_interval(value):
    found = interval([value] * 25, SETTINGS, ["a", "b", "c", "d", "e"] * 5)
    assert found.headline == Interval(value, value)
    assert found.headline.width == 0
    assert found.sd == 0


def test_one_task_and_one_cluster_have_a_zero_width_interval():
    assert interval([0.25], SETTINGS, ["a"]).headline == Interval(0.25, 0.25)
    one_cluster = interval([0.0, 1.0, 1.0, 0.0], SETTINGS, ["a"] * 4)
    assert one_cluster.by_cluster == Interval(0.5, 0.5)
    assert one_cluster.headline == one_cluster.by_task


def test_what_all_pass_could_hide_is_clopper_pearson():
    estimate = interval([1.0] * 20, SETTINGS)
    expected = stats.binomtest(20, 20).proportion_ci(0.95, method="exact")
    assert unseen_bound(estimate, 0.0, 1.0, 0.95) == Interval(pytest.approx(expected.low), 1.0)


def test_a_paired_difference_is_narrower_than_the_difference_of_two_means(rng):
    rates = rng.beta(0.5, 0.5, 140)
    before = {str(task): float(rate) for task, rate in enumerate(rates)}
    after = {task: min(1.0, rate + 0.1) for task, rate in before.items()}
    found = paired_difference(before, after, SETTINGS)
    assert found.estimate.headline.low > 0.05
    assert found.estimate.headline.width < 0.2 * interval(list(after.values()), SETTINGS).headline.width
    assert found.estimate.value == pytest.approx(found.after - found.before)


def test_tasks_that_one_side_lacks_are_left_out_and_counted():
    before = {"a": 0.0, "b": 0.5, "c": 1.0}
    after = {"b": 1.0, "c": 1.0, "d": 0.0, "e": 0.0}
    found = paired_difference(before, after, SETTINGS, {"b": "x", "c": "y"})
    assert (found.estimate.tasks, found.lost, found.estimate.value) == (2, 3, 0.25)


@pytest.mark.parametrize(
    ("values", "clusters", "fault"),
    [([], None, "at least one"), ([float("nan")], None, "finite"), ([1.0, 0.0], ["a"], "clusters")],
)
def test_what_cannot_have_an_interval_is_refused(values, clusters, fault):
    with pytest.raises(ValueError, match=fault):
        interval(values, SETTINGS, clusters)


def test_sides_without_a_common_task_are_refused():
    with pytest.raises(ValueError, match="share no task"):
        paired_difference({"a": 1.0}, {"b": 1.0}, SETTINGS)


def test_intervals_cover_about_as_often_as_they_say(rng):
    settings = BootstrapSettings(resamples=400, confidence=0.95, seed=1)
    share = coverage(rng, 300, 140, 0.4, 0.6, lambda values: interval(values, settings).by_task)
    assert 0.91 <= share <= 0.98


@pytest.mark.slow
@pytest.mark.parametrize("tasks", [140, 459])
@pytest.mark.parametrize("shape", [(0.4, 0.6), (0.3, 1.2), (2.0, 3.0)])
def test_nominal_95_percent_intervals_cover_close_to_95_percent(rng, tasks, shape):
    settings = BootstrapSettings(resamples=1000, confidence=0.95, seed=1)
    share = coverage(rng, 2000, tasks, *shape, lambda values: interval(values, settings).by_task)
    print(f"coverage at n = {tasks}, pass rates beta{shape}: {share:.4f}")
    assert 0.925 <= share <= 0.965


@pytest.mark.slow
def test_clustered_intervals_cover_where_task_intervals_do_not(rng):
    settings = BootstrapSettings(resamples=1000, confidence=0.95, seed=1)
    task_hits = cluster_hits = 0
    sizes = np.tile([1, 2, 3, 6], 20)
    names = np.repeat([str(index) for index in range(80)], sizes)
    for _ in range(1000):
        values = rng.binomial(4, np.repeat(rng.beta(0.4, 0.6, 80), sizes)) / 4
        found = interval(values, settings, list(names))
        task_hits += found.by_task.low <= 0.4 <= found.by_task.high
        cluster_hits += found.by_cluster.low <= 0.4 <= found.by_cluster.high
    print(
        f"coverage with 80 clusters of 1 to 6 tasks: task {task_hits / 1000}, cluster {cluster_hits / 1000}"
    )
    assert task_hits < 850
    assert 0.92 <= cluster_hits / 1000 <= 0.97


def test_the_interval_over_schemas_of_one_size_is_students_t_of_their_means(rng):
    means = np.array([0.1, 0.3, 0.25, 0.4])
    values = (means[:, None] + rng.normal(0, 0.01, (4, 50)) * [[1], [1], [1], [1]]).ravel()
    names = [str(number) for number in range(200)]
    found = interval(values, SETTINGS, names, [name for name in "abcd" for _ in range(50)])
    expected = stats.ttest_1samp(values.reshape(4, 50).mean(axis=1), 0.0).confidence_interval(0.95)
    assert found.by_schema == Interval(pytest.approx(expected.low), pytest.approx(expected.high))
    assert found.headline == found.by_schema
    assert found.schemas == 4


def test_intervals_over_schemas_cover_where_schemas_differ(rng):
    settings = BootstrapSettings(resamples=100, confidence=0.95, seed=1)
    hits = {"task": 0, "schema": 0}
    names, schemas = [str(number) for number in range(160)], [name for name in "abcd" for _ in range(40)]
    for _ in range(300):
        values = rng.normal(0.2, 0.2, 4).repeat(40) + rng.normal(0, 0.3, 160)
        found = interval(values, settings, names, schemas)
        hits["task"] += found.by_task.low <= 0.2 <= found.by_task.high
        hits["schema"] += found.by_schema.low <= 0.2 <= found.by_schema.high
    assert hits["task"] < 0.7 * 300
    assert 0.91 <= hits["schema"] / 300 <= 0.985


def test_two_schemas_are_taken_as_given_and_their_templates_drawn_again(rng):
    values = np.concatenate([rng.normal(0.1, 0.2, 60), rng.normal(0.7, 0.2, 40)])
    names, schemas = [str(number) for number in range(100)], ["a"] * 60 + ["b"] * 40
    found = interval(values, SETTINGS, names, schemas)
    error = np.sqrt(60 * values[:60].var(ddof=1) + 40 * values[60:].var(ddof=1)) / 100
    assert found.by_schema.width == pytest.approx(2 * 1.96 * error, rel=0.1)
    assert found.headline == max(found.by_task, found.by_cluster, key=lambda one: one.width)


def test_one_schema_has_no_interval_over_schemas():
    found = interval([0.0, 1.0, 0.5], SETTINGS, ["a", "b", "c"], ["shop"] * 3)
    assert (found.by_schema, found.schemas) == (None, 1)


def test_every_task_needs_a_schema():
    with pytest.raises(ValueError, match="clusters"):
        interval([0.0, 1.0], SETTINGS, None, ["a"])
