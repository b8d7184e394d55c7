"""What texts mention, what dishes contain, and rows that a table links."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def canteen(make: Any) -> Any:
    """Dishes with ingredients and menus, the remarks of guests, and the guests' addresses."""
    return make(
        "CREATE TABLE guests (guest_id INTEGER PRIMARY KEY, full_name VARCHAR, address VARCHAR);"
        "CREATE TABLE dishes (dish_id INTEGER PRIMARY KEY, title VARCHAR, price INTEGER);"
        "CREATE TABLE ingredients (ingredient_id INTEGER PRIMARY KEY, name VARCHAR, allergen VARCHAR);"
        "CREATE TABLE recipes (dish_id INTEGER REFERENCES dishes (dish_id),"
        " ingredient_id INTEGER REFERENCES ingredients (ingredient_id), grams INTEGER,"
        " PRIMARY KEY (dish_id, ingredient_id));"
        "CREATE TABLE menus (menu_id INTEGER PRIMARY KEY, menu_name VARCHAR);"
        "CREATE TABLE dish_menus (dish_id INTEGER REFERENCES dishes (dish_id),"
        " menu_id INTEGER REFERENCES menus (menu_id), step_no INTEGER);"
        "CREATE TABLE orders (order_id INTEGER PRIMARY KEY, dish_id INTEGER REFERENCES dishes (dish_id),"
        " menu_id INTEGER REFERENCES menus (menu_id), guest_id INTEGER REFERENCES guests (guest_id));"
        "CREATE TABLE feedback (feedback_id INTEGER PRIMARY KEY, dish_id INTEGER REFERENCES dishes (dish_id),"
        " stars INTEGER, remark VARCHAR);"
        "INSERT INTO guests VALUES (1, 'Ann Finch', '3 Mill Road'), (2, 'Bo Finch', '5 Quay Lane'),"
        " (3, 'Cy Ray', '9 Mill Road');"
        "INSERT INTO dishes VALUES (1, 'Pasta', 9), (2, 'Soup', 5), (3, 'Salad', 6);"
        "INSERT INTO ingredients VALUES (1, 'flour', 'gluten'), (2, 'cream', 'milk'), (3, 'oil', NULL);"
        "INSERT INTO recipes VALUES (1, 1, 200), (1, 2, 50), (2, 2, 30), (3, 3, 10);"
        "INSERT INTO menus VALUES (1, 'spring'), (2, 'autumn'), (3, 'winter');"
        "INSERT INTO dish_menus VALUES (1, 1, 1), (1, 2, 1), (2, 2, 2);"
        "INSERT INTO orders VALUES (1, 3, 3, 1), (2, 3, 1, 1), (3, 3, 2, 2);"
        "INSERT INTO feedback VALUES (1, 1, 2, 'far too much salt in it'), (2, 2, 5, 'a dream of sour cream'),"
        " (3, 3, 3, 'less salt please');"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("feedback that mentions salt", [(1,), (3,)]),
        ("how many feedbacks mention salt?", [(2,)]),
        ("average stars of feedback about sour cream", [(5.0,)]),
        ("remarks about salt", [("far too much salt in it",), ("less salt please",)]),
        ("guests on Mill Road", [("Ann Finch",), ("Cy Ray",)]),
        ("how many guests live on Mill Road?", [(2,)]),
        ("guests called Finch", [("Ann Finch",), ("Bo Finch",)]),
        ("guests named Ray", [("Cy Ray",)]),
        ("which dishes contain gluten?", [("Pasta",)]),
        ("how many dishes contain milk?", [(2,)]),
        ("dishes that contain no milk", [("Salad",)]),
        ("dishes that do not contain gluten", [("Salad",), ("Soup",)]),
    ],
)
def test_what_texts_mention_and_dishes_contain(canteen: Any, question: str, rows: list[Any]) -> None:
    canteen.answers(question, rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("dishes served in more than one menu", [("Pasta",)]),
        ("dishes not served in any menu", [("Salad",)]),
        ("dishes that were served in no menu", [("Salad",)]),
        ("menus without dishes", [("winter",)]),
        ("how many dishes does each menu have?", [("autumn", 2), ("spring", 1)]),
        ("ingredients used in at least two dishes", [("cream",)]),
    ],
)
def test_rows_that_a_table_links(canteen: Any, question: str, rows: list[Any]) -> None:
    canteen.answers(question, rows)
